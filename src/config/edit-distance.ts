/** The Levenshtein distance of two texts. */
export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (const [i, letter] of [...a].entries()) {
    const above = row;
    row = [i + 1];
    for (const [j, other] of [...b].entries()) {
      const [left = 0, up = 0, diagonal = 0] = [row[j], above[j + 1], above[j]];
      row.push(Math.min(left + 1, up + 1, diagonal + (letter === other ? 0 : 1)));
    }
  }
  return row.at(-1) ?? 0;
}
