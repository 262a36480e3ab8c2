/** The rank of each value: 1 plus how many values are greater. */
export function ranksOf(values: ArrayLike<number>): Uint32Array {
  const order = Uint32Array.from({ length: values.length }, (_, i) => i);
  // Safe: every index comes from the range of `values`.
  const at = (i: number) => values[i] as number;
  order.sort((a, b) => at(b) - at(a));
  const ranks = new Uint32Array(values.length);
  let rank = 0;
  let previous = Number.NaN;
  for (let position = 0; position < order.length; position++) {
    const i = order[position] as number;
    if (at(i) !== previous) rank = position + 1;
    previous = at(i);
    ranks[i] = rank;
  }
  return ranks;
}
