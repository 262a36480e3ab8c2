import { isTemporary, type Request } from '../../api/request.ts';
import { followersOf, mostFollowed, top8Of } from './requests.ts';

export interface Node {
  readonly address: string;
  readonly name: string;
  /** As of the last ranking; null if the account is not among the most followed. */
  readonly followers: number | null;
  readonly isTop8: boolean;
}

/** Between two nodes, by index. If it is mutual, the order means nothing. */
export interface Edge {
  readonly source: number;
  readonly target: number;
  readonly isMutual: boolean;
}

export interface Neighbourhood {
  /** The centre is the first; the others are in order of followers. */
  readonly nodes: readonly Node[];
  readonly edges: readonly Edge[];
  /** Including those that are not in the picture. */
  readonly mutuals: number;
  /** Whether the top8 could be loaded. */
  readonly hasTop8: boolean;
  /** Whether edges are missing because an account has more followers among those of the centre than fit a page. */
  readonly isPartial: boolean;
  readonly failed: number;
}

interface Options {
  readonly signal: AbortSignal;
  onProgress(done: number, total: number): void;
}

/** Each takes a request that the service counts as expensive. */
const MAX_NODES = 60;
const CONCURRENCY = 4;

/** Loads who follows whom among an account's mutuals and top8. Only the first request must succeed. */
export async function loadNeighbourhood(
  centre: { readonly address: string; readonly name: string },
  { signal, onProgress }: Options,
): Promise<Neighbourhood> {
  let failed = 0;
  let isRejected = false;
  const attempt = async <T>(request: Request<T>): Promise<T | null> => {
    try {
      if (!isRejected) return await request.load(signal);
    } catch (error) {
      if (signal.aborted) throw error;
      // More requests would only take the place of those of other panels.
      isRejected = isTemporary(error);
    }
    failed += 1;
    return null;
  };
  const [mutuals, top8, ranked] = await Promise.all([
    followersOf(centre.address, centre.address).load(signal),
    attempt(top8Of(centre.address)),
    attempt(mostFollowed()),
  ]);
  const names = new Map<string, string>();
  for (const { address, ens } of top8?.following ?? []) names.set(address, ens?.name ?? '');
  const inTop8 = new Set(names.keys());
  for (const { address, name } of mutuals.results) if (names.size < MAX_NODES - 1) names.set(address, name);
  names.delete(centre.address);
  const followers = new Map(ranked?.results.map((member) => [member.address, Number(member.followers)]));
  const nodeOf = (address: string, name: string): Node => ({
    address,
    name,
    followers: followers.get(address) ?? null,
    isTop8: inTop8.has(address),
  });
  const others = [...names]
    .map(([address, name]) => nodeOf(address, name))
    .sort((a, b) => (b.followers ?? 0) - (a.followers ?? 0) || (a.address < b.address ? -1 : 1));
  const nodes = [nodeOf(centre.address, centre.name), ...others];
  const edges = new EdgeSet(nodes);
  for (const { address } of others) edges.add(centre.address, address);
  for (const { address } of mutuals.results) edges.add(address, centre.address);

  let done = 0;
  let isPartial = false;
  onProgress(done, others.length);
  await eachOf(others, async ({ address: leader }) => {
    const page = await attempt(followersOf(leader, centre.address));
    for (const { address } of page?.results ?? []) edges.add(address, leader);
    if (page !== null && page.length > page.results.length) isPartial = true;
    onProgress((done += 1), others.length);
  });
  return { nodes, edges: edges.toArray(), mutuals: mutuals.length, hasTop8: top8 !== null, isPartial, failed };
}

/** Joins the two directions of a mutual edge. Edges to accounts that are not nodes are left out. */
class EdgeSet {
  readonly #indexes: Map<string, number>;
  readonly #edges = new Map<number, Edge>();

  constructor(nodes: readonly Node[]) {
    this.#indexes = new Map(nodes.map(({ address }, index) => [address, index]));
  }

  add(from: string, to: string): void {
    const source = this.#indexes.get(from);
    const target = this.#indexes.get(to);
    if (source === undefined || target === undefined || source === target) return;
    const opposite = key(target, source);
    if (this.#edges.has(opposite)) this.#edges.set(opposite, { source: target, target: source, isMutual: true });
    else if (!this.#edges.get(key(source, target))?.isMutual) {
      this.#edges.set(key(source, target), { source, target, isMutual: false });
    }
  }

  toArray(): readonly Edge[] {
    return [...this.#edges.values()];
  }
}

const key = (source: number, target: number): number => source * MAX_NODES + target;

async function eachOf<T>(items: readonly T[], run: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  const work = async () => {
    for (const item of queue) await run(item);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
}
