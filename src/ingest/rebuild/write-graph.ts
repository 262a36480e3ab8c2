import { type Counts, mutualsOfPair } from '../../graph/counts.ts';
import type { Opcode } from '../../protocol/list-op.ts';
import type { Row } from '../../store/schema.ts';
import type { Transaction } from '../../store/store.ts';
import { addFollowerRows, type FollowerRows } from '../follower-rows.ts';
import { notificationRow } from '../notification-rows.ts';
import { type CollectedGraph, plainOp, RELATIONS } from './collect-graph.ts';
import { type Grouping, groupBy, groupOf } from './numbers.ts';

/** Rows per write. */
const CHUNK = 5_000;

/** Writes the rows of every account in the order of the tables' keys, so that each table grows at its end. */
export async function writeGraph(tx: Transaction, graph: CollectedGraph): Promise<{ follows: number }> {
  const { addresses, counts, edges, ops } = graph;
  const total = addresses.length;
  const writer = new GraphWriter(graph, {
    incoming: groupBy(edges.target, total),
    outgoing: groupBy(edges.source, total),
    received: groupBy(ops.target, total),
    profiles: await readProfiles(tx),
  });
  const byAddress = Int32Array.from({ length: total }, (_, id) => id);
  byAddress.sort((a, b) => ((addresses[a] as string) < (addresses[b] as string) ? -1 : 1));
  const rows: FollowerRows & { notifications: Row<'notifications'>[] } = { followers: [], tags: [], notifications: [] };
  let follows = 0;
  const flush = async () => {
    follows += rows.followers.length;
    await tx.upsert('followers', rows.followers.splice(0));
    await tx.upsert('follower_tags', rows.tags.splice(0));
    await tx.upsert('notifications', rows.notifications.splice(0));
  };
  for (const target of byAddress) {
    const { mutuals } = writer.addFollowers(rows, target);
    (counts[target] as Counts).mutuals = mutuals;
    writer.addNotifications(rows.notifications, target);
    if (rows.followers.length + rows.notifications.length >= CHUNK) await flush();
  }
  await flush();
  return { follows };
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
  readonly profiles: Names;
}

const NONE = -1;

class GraphWriter {
  readonly #graph: CollectedGraph;
  readonly #orders: Orders;
  /** What the account at hand thinks of each other one, as an index into `RELATIONS`. */
  readonly #opinions: Int8Array;

  constructor(graph: CollectedGraph, orders: Orders) {
    this.#graph = graph;
    this.#orders = orders;
    this.#opinions = new Int8Array(graph.addresses.length).fill(NONE);
  }

  addFollowers(rows: FollowerRows, target: number): { mutuals: number } {
    const { addresses, counts, activeLists, edges } = this.#graph;
    const outgoing = groupOf(this.#orders.outgoing, target);
    for (const edge of outgoing) this.#opinions[edges.target.at(edge)] = edges.relation.at(edge);
    const address = (id: number) => addresses[id] as string;
    const incoming = groupOf(this.#orders.incoming, target).slice();
    const source = (edge: number) => edges.source.at(edge);
    incoming.sort((a, b) => edges.time.at(b) - edges.time.at(a) || (address(source(a)) < address(source(b)) ? -1 : 1));
    let mutuals = 0;
    for (const edge of incoming) {
      const follower = source(edge);
      const relation = RELATIONS[this.#opinions[follower] as number] ?? null;
      const own = RELATIONS[edges.relation.at(edge)] ?? null;
      if (own === null) throw new Error('an edge has no relation');
      mutuals += mutualsOfPair(own, relation);
      const state = { relation: own, tags: edges.tags.get(edge) ?? [], time: edges.time.at(edge) };
      const list = activeLists[follower] ?? '';
      const { followers: popularity } = counts[follower] as Counts;
      addFollowerRows(rows, address(follower), address(target), state, { list, popularity, relation });
    }
    for (const edge of outgoing) this.#opinions[edges.target.at(edge)] = NONE;
    return { mutuals };
  }

  addNotifications(rows: Row<'notifications'>[], target: number): void {
    const { addresses, activeLists, ops } = this.#graph;
    const received = groupOf(this.#orders.received, target).slice();
    received.sort(
      (a, b) =>
        ops.time.at(a) - ops.time.at(b) ||
        ops.chain.at(a) - ops.chain.at(b) ||
        ops.block.at(a) - ops.block.at(b) ||
        ops.index.at(a) - ops.index.at(b),
    );
    const record = addresses[target] as (typeof addresses)[number];
    for (const op of received) {
      const source = addresses[ops.source.at(op)] as string;
      const opcode = ops.opcode.at(op) as Opcode;
      const { tag, raw } = ops.extras.get(op) ?? { tag: '', raw: plainOp(opcode, record) ?? '0x' };
      rows.push(
        notificationRow(
          {
            source,
            list: activeLists[ops.source.at(op)] ?? '',
            target: record,
            time: ops.time.at(op),
            chain_id: ops.chain.at(op),
            block_number: ops.block.at(op),
            log_index: ops.index.at(op),
            opcode,
            tag,
            raw,
          },
          this.#orders.profiles.get(source),
        ),
      );
    }
  }
}
