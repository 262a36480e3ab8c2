/** What decides between paths of the same length. */
export interface Rated {
  readonly address: string;
  readonly followers: number;
}

/**
 * Of the shortest paths from `start` to `end`, the one whose first step has most followers, then the second and so on; of
 * equal ones the first by address, in the same order. `next` has the steps of these paths from each account, and `rated`
 * the accounts between the ends.
 */
export function bestPath(
  start: number,
  end: number,
  next: ReadonlyMap<number, readonly number[]>,
  rated: ReadonlyMap<number, Rated>,
): number[] {
  const nextOf = (id: number) => next.get(id) ?? [];
  const layers: Set<number>[] = [];
  for (let layer = new Set([start]); !layer.has(end); ) {
    const reached = new Set([...layer].flatMap(nextOf));
    if (reached.size === 0) throw new Error(`no step leads on to ${end}`);
    let most = 0;
    for (const id of reached) most = Math.max(most, rated.get(id)?.followers ?? 0);
    layer = new Set([...reached].filter((id) => id === end || rated.get(id)?.followers === most));
    layers.push(layer);
  }
  // An account of a layer may lead only to accounts that the next layer has left out.
  for (let i = layers.length - 2; i >= 0; i--) {
    for (const id of layers[i] ?? []) if (!nextOf(id).some((to) => layers[i + 1]?.has(to))) layers[i]?.delete(id);
  }
  const path = [start];
  for (const layer of layers) {
    const steps = nextOf(path.at(-1) ?? start).filter((id) => layer.has(id));
    const addressOf = (id: number) => rated.get(id)?.address ?? '';
    path.push(steps.reduce((best, id) => (addressOf(id) < addressOf(best) ? id : best)));
  }
  return path;
}
