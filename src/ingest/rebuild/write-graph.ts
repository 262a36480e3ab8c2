import { overlap, together } from '../../batches.ts';
import { type Counts, mutualsOfPair } from '../../graph/counts.ts';
import type { Opcode } from '../../protocol/list-op.ts';
import type { Row } from '../../store/schema.ts';
import type { Transaction } from '../../store/store.ts';
import { addFollowerRows, type FollowerRows } from '../follower-rows.ts';
import { notificationRow } from '../notification-rows.ts';
import type { Subjects } from '../stored-log.ts';
import { type CollectedLogs, plainOp } from './collected-logs.ts';
import { compareMoments, type Graph, NOBODY, RELATIONS } from './fold-graph.ts';
import { type Grouping, groupBy, groupOf } from './numbers.ts';

/** Rows per write. */
const CHUNK = 1_000;

/**
 * Writes the rows of every account in the order of the tables' keys, so that each table grows at its end, and
 * completes the accounts' counts by their mutuals. The tables must be empty.
 */
export async function writeGraph(
  tx: Transaction,
  collected: CollectedLogs,
  graph: Graph,
  subjects: Subjects,
): Promise<{ follows: number }> {
  const { addresses } = collected;
  const byAddress = Int32Array.from(addresses.keys());
  byAddress.sort((a, b) => ((addresses[a] as string) < (addresses[b] as string) ? -1 : 1));
  const writer = new GraphWriter(collected, graph, {
    incoming: groupBy(graph.edges.target, addresses.length),
    outgoing: groupBy(graph.edges.source, addresses.length),
    received: groupBy(collected.ops.record, addresses.length),
    rank: inverse(byAddress),
    chainOf: chainsOf(graph, subjects),
    profiles: await readProfiles(tx),
  });
  let follows = 0;
  await overlap(writer.makeRows(byAddress), async ({ followers, tags, notifications }) => {
    follows += followers.length;
    await together([
      tx.insert('followers', followers),
      tx.insert('follower_tags', tags.sort(byTag)),
      tx.insert('notifications', notifications),
    ]);
  });
  return { follows };
}

interface GraphRows extends FollowerRows {
  readonly notifications: Row<'notifications'>[];
}

/** Within one target; the rows come in the order of targets. */
function byTag(a: Row<'follower_tags'>, b: Row<'follower_tags'>): number {
  if (a.target !== b.target) return a.target < b.target ? -1 : 1;
  if (a.tag === b.tag) return 0;
  return a.tag < b.tag ? -1 : 1;
}

function inverse(order: Int32Array): Int32Array {
  const ranks = new Int32Array(order.length);
  order.forEach((id, rank) => {
    ranks[id] = rank;
  });
  return ranks;
}

/** The chain of every active slot, which its name begins with. */
function chainsOf({ accountOf }: Graph, subjects: Subjects): Float64Array {
  return Float64Array.from(accountOf, (account, slot) =>
    account === NOBODY ? 0 : Number.parseInt(subjects.nameOf(slot), 10),
  );
}

type Names = Map<string, Pick<Row<'profiles'>, 'name' | 'avatar'>>;

async function readProfiles(tx: Transaction): Promise<Names> {
  const rows = await tx.query((db) => db.selectFrom('profiles').select(['address', 'name', 'avatar']));
  return new Map(rows.map(({ address, name, avatar }) => [address, { name, avatar }]));
}

interface Orders {
  /** Edges by the account that they point to, and by the one that they start from; ops by the account they name. */
  readonly incoming: Grouping;
  readonly outgoing: Grouping;
  readonly received: Grouping;
  /** By account, its place in the order of addresses. */
  readonly rank: Int32Array;
  /** By slot. */
  readonly chainOf: Float64Array;
  readonly profiles: Names;
}

const NONE = -1;

class GraphWriter {
  readonly #collected: CollectedLogs;
  readonly #graph: Graph;
  readonly #orders: Orders;
  /** What the account at hand thinks of each other one, as an index into `RELATIONS`. */
  readonly #opinions: Int8Array;

  constructor(collected: CollectedLogs, graph: Graph, orders: Orders) {
    this.#collected = collected;
    this.#graph = graph;
    this.#orders = orders;
    this.#opinions = new Int8Array(collected.addresses.length).fill(NONE);
  }

  *makeRows(targets: Int32Array): Generator<GraphRows> {
    const blank = (): GraphRows => ({ followers: [], tags: [], notifications: [] });
    let rows = blank();
    for (const target of targets) {
      this.#addFollowers(rows, target);
      this.#addNotifications(rows.notifications, target);
      if (rows.followers.length + rows.notifications.length < CHUNK) continue;
      yield rows;
      rows = blank();
    }
    yield rows;
  }

  #addFollowers(rows: FollowerRows, target: number): void {
    const { counts, activeLists, edges } = this.#graph;
    const { rank } = this.#orders;
    const outgoing = groupOf(this.#orders.outgoing, target);
    for (const edge of outgoing) this.#opinions[edges.target.at(edge)] = edges.relation.at(edge);
    const incoming = groupOf(this.#orders.incoming, target);
    const rankOf = (edge: number) => rank[edges.source.at(edge)] as number;
    incoming.sort((a, b) => edges.time.at(b) - edges.time.at(a) || rankOf(a) - rankOf(b));
    let mutuals = 0;
    for (const edge of incoming) {
      const follower = edges.source.at(edge);
      const relation = RELATIONS[this.#opinions[follower] as number] ?? null;
      const own = RELATIONS[edges.relation.at(edge)] ?? null;
      if (own === null) throw new Error('an edge has no relation');
      mutuals += mutualsOfPair(own, relation);
      const state = { relation: own, tags: edges.tags.get(edge) ?? [], time: edges.time.at(edge) };
      const list = activeLists[follower] ?? '';
      const { followers: popularity } = counts[follower] as Counts;
      addFollowerRows(rows, this.#addressOf(follower), this.#addressOf(target), state, { list, popularity, relation });
    }
    for (const edge of outgoing) this.#opinions[edges.target.at(edge)] = NONE;
    (counts[target] as Counts).mutuals = mutuals;
  }

  #addNotifications(rows: Row<'notifications'>[], target: number): void {
    const { ops } = this.#collected;
    const { accountOf, activeLists } = this.#graph;
    const { chainOf, profiles } = this.#orders;
    const sourceOf = (op: number) => accountOf[ops.slot.at(op)] as number;
    const chain = (op: number) => chainOf[ops.slot.at(op)] as number;
    const received = groupOf(this.#orders.received, target).filter((op) => {
      const source = sourceOf(op);
      return source !== NOBODY && source !== target;
    });
    received.sort((a, b) => ops.time.at(a) - ops.time.at(b) || chain(a) - chain(b) || compareMoments(ops, a, b));
    const record = this.#addressOf(target);
    for (const op of received) {
      const source = this.#addressOf(sourceOf(op));
      // Safe: the column holds what was decoded as an opcode.
      const opcode = ops.opcode.at(op) as Opcode;
      const { tag, raw } = ops.extras.get(op) ?? { tag: '', raw: plainOp(opcode, record) };
      const received = {
        source,
        list: activeLists[sourceOf(op)] ?? '',
        target: record,
        time: ops.time.at(op),
        chain_id: chain(op),
        block_number: ops.block.at(op),
        log_index: ops.index.at(op),
        opcode,
        tag,
        raw,
      };
      rows.push(notificationRow(received, profiles.get(source)));
    }
  }

  #addressOf(account: number) {
    // Safe: every number of an account was given by `idOf`.
    return this.#collected.addresses[account] as CollectedLogs['addresses'][number];
  }
}
