/** Whether a name, or its first label for a term without a dot, is one edit away from the term. */
export function isSimilar(term: string, name: string): boolean {
  const text = term.includes('.') ? name : name.replace(/\..*/s, '');
  return text !== '' && distance([...term], [...text]) === 1;
}

/** Edits of one letter, or swaps of two, that turn one text into another: the table of optimal string alignment. */
function distance(a: readonly string[], b: readonly string[]): number {
  const table = Array.from({ length: a.length + 1 }, (_, i) => Array.from({ length: b.length + 1 }, (_, j) => i + j));
  const at = (i: number, j: number) => table[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++) {
      const isSwap = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const edits = [at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + Number(a[i - 1] !== b[j - 1])];
      const row = table[i] as number[];
      row[j] = Math.min(...edits, i > 1 && j > 1 && isSwap ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY);
    }
  return at(a.length, b.length);
}
