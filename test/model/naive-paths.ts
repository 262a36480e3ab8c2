import { type NaiveView, profileOf, resolveAccount } from './naive-view.ts';

/** All paths of follows from an account, one step longer each time. */
function* pathsFrom({ graph }: NaiveView, source: string): Generator<string[][]> {
  const seen = new Set([source]);
  for (let paths = [[source]]; paths.length > 0; ) {
    yield paths;
    paths = paths.flatMap((path) =>
      graph.edges
        .filter(({ from, to, relation }) => from === path.at(-1) && relation === 'follow' && !seen.has(to))
        .map(({ to }) => [...path, to]),
    );
    for (const path of paths) seen.add(path.at(-1) ?? '');
  }
}

export function path(view: NaiveView, source: string, target: string) {
  let steps = 0;
  let found: string[] = [];
  for (const paths of pathsFrom(view, source)) {
    const leading = paths.filter((path) => path.at(-1) === target);
    if (leading.length > 0) {
      found = leading.sort((a, b) => compare(countsOf(view, b), countsOf(view, a)) || compare(a, b))[0] ?? [];
      break;
    }
    if (steps++ === 6) break;
  }
  const accounts = found.map((address) => {
    const { name, avatar } = profileOf(view, address);
    return { address, name, avatar };
  });
  return {
    source,
    target,
    length: found.length === 0 ? null : found.length - 1,
    path: found,
    accounts,
    isComplete: true,
  };
}

export function hops(view: NaiveView, source: string, given: readonly (string | null)[]) {
  const steps = new Map<string, number>();
  let taken = 0;
  for (const paths of pathsFrom(view, source)) {
    for (const path of paths) steps.set(path.at(-1) ?? '', taken);
    if (taken++ === 3) break;
  }
  const entries = given.map((text) => {
    const address = text === null ? null : resolveAccount(view, text);
    return address === null ? null : { address, steps: steps.get(address) ?? null };
  });
  return { source, hops: entries, isComplete: true };
}

function countsOf({ graph }: NaiveView, path: readonly string[]): number[] {
  return path.map(
    (address) => graph.edges.filter(({ to, relation }) => to === address && relation === 'follow').length,
  );
}

function compare<T extends string | number>(a: readonly T[], b: readonly T[]): number {
  const i = a.findIndex((value, i) => value !== b[i]);
  if (i === -1) return 0;
  return (a[i] as T) < (b[i] as T) ? -1 : 1;
}
