import { overlap, settleAll } from '../../async/batches.ts';
import { type Counts, mutualsOfPair } from '../../graph/counts.ts';
import type { Row } from '../../store/schema.ts';
import type { Transaction } from '../../store/store.ts';
import { addFollowerRows, type FollowerRows } from '../follower-rows.ts';
import type { ActiveSlots } from './active-slots.ts';
import type { CollectedLogs } from './collected-logs.ts';
import { type Graph, RELATIONS } from './fold-graph.ts';
import { type Grouping, groupBy, groupOf } from './numbers.ts';

/** Rows per write. */
const CHUNK = 1_000;

/**
 * Writes the followers of every account in key order into empty tables, and sets the mutuals in `graph.counts`. Returns
 * the number of follow edges.
 */
export async function writeAllFollowers(
  tx: Transaction,
  collected: CollectedLogs,
  active: ActiveSlots,
  graph: Graph,
  byAddress: Int32Array,
): Promise<number> {
  let follows = 0;
  const writer = new FollowerWriter(collected, active, graph, byAddress);
  await overlap(writer.rows(), async ({ followers, tags }) => {
    follows += followers.length;
    await settleAll([tx.insert('followers', followers), tx.insert('follower_tags', tags.sort(byTag))]);
  });
  return follows;
}

/** Sorts by key; within one target, the rows of a tag are already in order. */
function byTag(a: Row<'follower_tags'>, b: Row<'follower_tags'>): number {
  if (a.target !== b.target) return a.target < b.target ? -1 : 1;
  if (a.tag === b.tag) return 0;
  return a.tag < b.tag ? -1 : 1;
}

const NONE = -1;

class FollowerWriter {
  readonly #addresses: CollectedLogs['addresses'];
  readonly #lists: ActiveSlots['lists'];
  readonly #graph: Graph;
  readonly #byAddress: Int32Array;
  /** Position by address, by account. */
  readonly #rank: Int32Array;
  /** Edges by target and by source. */
  readonly #incoming: Grouping;
  readonly #outgoing: Grouping;
  /** The relation of the current target to each account, as an index into `RELATIONS`. */
  readonly #ownRelations: Int8Array;

  constructor({ addresses }: CollectedLogs, { lists }: ActiveSlots, graph: Graph, byAddress: Int32Array) {
    this.#addresses = addresses;
    this.#lists = lists;
    this.#graph = graph;
    this.#byAddress = byAddress;
    this.#rank = new Int32Array(byAddress.length);
    for (const [rank, account] of byAddress.entries()) this.#rank[account] = rank;
    this.#incoming = groupBy(graph.edges.target, addresses.length);
    this.#outgoing = groupBy(graph.edges.source, addresses.length);
    this.#ownRelations = new Int8Array(addresses.length).fill(NONE);
  }

  *rows(): Generator<FollowerRows> {
    const blank = (): FollowerRows => ({ followers: [], tags: [] });
    let rows = blank();
    for (const target of this.#byAddress) {
      this.#addRows(rows, target);
      if (rows.followers.length < CHUNK) continue;
      yield rows;
      rows = blank();
    }
    yield rows;
  }

  #addRows(rows: FollowerRows, target: number): void {
    const { counts, edges } = this.#graph;
    const outgoing = groupOf(this.#outgoing, target);
    for (const edge of outgoing) this.#ownRelations[edges.target.at(edge)] = edges.relation.at(edge);
    const incoming = groupOf(this.#incoming, target);
    const rankOf = (edge: number) => this.#rank[edges.source.at(edge)] as number;
    incoming.sort((a, b) => edges.time.at(b) - edges.time.at(a) || rankOf(a) - rankOf(b));
    let mutuals = 0;
    for (const edge of incoming) {
      const follower = edges.source.at(edge);
      const relation = RELATIONS[this.#ownRelations[follower] as number] ?? null;
      const own = RELATIONS[edges.relation.at(edge)] ?? null;
      if (own === null) throw new Error('an edge has no relation');
      mutuals += mutualsOfPair(own, relation);
      const state = { relation: own, tags: edges.tags.get(edge) ?? [], time: edges.time.at(edge) };
      const list = this.#lists[follower] ?? '';
      const { followers: popularity } = counts[follower] as Counts;
      addFollowerRows(rows, this.#addressOf(follower), this.#addressOf(target), state, { list, popularity, relation });
    }
    for (const edge of outgoing) this.#ownRelations[edges.target.at(edge)] = NONE;
    (counts[target] as Counts).mutuals = mutuals;
  }

  #addressOf(account: number): string {
    // Safe: every account id was assigned by `idOf`.
    return this.#addresses[account] as string;
  }
}
