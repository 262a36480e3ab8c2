/** A text with its first occurrence of a term marked, in any letter case. */
export function Marked({ text, term }: { readonly text: string; readonly term: string }) {
  const at = indexIn(text, term);
  if (at === -1) return <>{text}</>;
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, at + term.length)}</mark>
      {text.slice(at + term.length)}
    </>
  );
}

export function indexIn(text: string, term: string): number {
  if (term === '') return -1;
  const lower = text.toLowerCase();
  // A few letters change their length, after which the index would be wrong.
  return lower.length === text.length ? lower.indexOf(term.toLowerCase()) : text.indexOf(term);
}
