/** A text with its first occurrence of a term marked, in any letter case. */
export function Marked({ text, term }: { readonly text: string; readonly term: string }) {
  return <>{markPart(text, ...rangeIn(text, term))}</>;
}

/** Marks what lies between two positions, which may be outside of the text. */
export function markPart(text: string, from: number, to: number) {
  const [start, end] = [Math.max(from, 0), Math.max(to, 0)];
  if (start >= Math.min(end, text.length)) return text;
  return (
    <>
      {text.slice(0, start)}
      <mark>{text.slice(start, end)}</mark>
      {text.slice(end)}
    </>
  );
}

/** Where a term begins and ends in a text; an empty range if it is not in it. */
export function rangeIn(text: string, term: string): readonly [from: number, to: number] {
  const at = indexIn(text, term);
  return at === -1 ? [0, 0] : [at, at + term.length];
}

export function indexIn(text: string, term: string): number {
  if (term === '') return -1;
  const lower = text.toLowerCase();
  // A few letters change their length, after which the index would be wrong.
  return lower.length === text.length ? lower.indexOf(term.toLowerCase()) : text.indexOf(term);
}
