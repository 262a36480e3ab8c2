import { overlap, settleAll } from '../../async/batches.ts';
import { mutualsOfPair } from '../../graph/counts.ts';
import { RELATIONS } from '../../graph/relation.ts';
import type { Row } from '../../store/schema.ts';
import type { Transaction } from '../../store/store.ts';
import { addEdgeRows, countFollows, type EdgeRows } from '../edge-rows.ts';
import type { ActiveSlots } from './active-slots.ts';
import type { AddressOrder } from './address-order.ts';
import { NO_ACCOUNT } from './collected-logs.ts';
import { edgeAt, type Graph } from './fold-graph.ts';
import { type Grouping, groupBy, groupOf } from './numbers.ts';
import type { Profiles } from './write-notifications.ts';

/** Rows per write. */
const CHUNK = 1_000;

export interface EdgeInputs {
  readonly addresses: readonly string[];
  readonly active: ActiveSlots;
  readonly graph: Graph;
  readonly bySlot: Grouping;
  readonly order: AddressOrder;
  readonly profiles: Profiles;
}

/**
 * Writes the edges to every account in key order into empty tables, and sets the mutuals in `graph.counts`. Returns the
 * number of follow edges.
 */
export async function writeAllEdges(tx: Transaction, inputs: EdgeInputs): Promise<number> {
  let follows = 0;
  await overlap(new EdgeWriter(inputs).rows(), async (rows) => {
    follows += countFollows(rows);
    await settleAll([tx.insert('edges', rows.edges), tx.insert('edge_tags', rows.tags.sort(byTag))]);
  });
  return follows;
}

/** Sorts by key; within one target, the rows of a tag are already in order. */
function byTag(a: Row<'edge_tags'>, b: Row<'edge_tags'>): number {
  if (a.target !== b.target) return a.target < b.target ? -1 : 1;
  if (a.tag === b.tag) return 0;
  return a.tag < b.tag ? -1 : 1;
}

const NONE = -1;

class EdgeWriter {
  readonly #inputs: EdgeInputs;
  /** Records by the account that they name. */
  readonly #byAccount: Grouping;
  /** The relation of the current target to each account, as a code. */
  readonly #ownRelations: Int8Array;

  constructor(inputs: EdgeInputs) {
    this.#inputs = inputs;
    this.#byAccount = groupBy(inputs.graph.records.account, inputs.addresses.length);
    this.#ownRelations = new Int8Array(inputs.addresses.length).fill(NONE);
  }

  *rows(): Generator<EdgeRows> {
    const blank = (): EdgeRows => ({ edges: [], tags: [] });
    let rows = blank();
    for (const target of this.#inputs.order.sorted) {
      this.#addRows(rows, target);
      if (rows.edges.length < CHUNK) continue;
      yield rows;
      rows = blank();
    }
    yield rows;
  }

  #addRows(rows: EdgeRows, target: number): void {
    const { graph, active, bySlot, order, profiles } = this.#inputs;
    const { counts, records } = graph;
    const slot = active.slotOf[target];
    const outgoing = slot === undefined ? [] : groupOf(bySlot, slot);
    for (const record of outgoing) this.#ownRelations[records.account.at(record)] = records.relation.at(record);
    // Safe, here and below: every slot and account has an entry.
    const sourceOf = (record: number) => active.accountOf[records.slot.at(record)] as number;
    const incoming = groupOf(this.#byAccount, target).filter((record) => {
      const source = sourceOf(record);
      return source !== NO_ACCOUNT && source !== target;
    });
    const rankOf = (record: number) => order.rank[sourceOf(record)] as number;
    incoming.sort((a, b) => records.time.at(b) - records.time.at(a) || rankOf(a) - rankOf(b));
    let mutuals = 0;
    for (const record of incoming) {
      const source = sourceOf(record);
      const relation = RELATIONS[this.#ownRelations[source] as number] ?? null;
      const edge = edgeAt(records, record);
      mutuals += mutualsOfPair(edge.relation, relation);
      const list = active.lists[source] ?? '';
      const popularity = counts[source]?.followers ?? 0;
      const address = this.#addressOf(source);
      const name = profiles.get(address)?.name.toLowerCase() ?? '';
      addEdgeRows(rows, address, this.#addressOf(target), edge, { list, popularity, name, relation });
    }
    for (const record of outgoing) this.#ownRelations[records.account.at(record)] = NONE;
    const own = counts[target];
    if (own !== undefined) own.mutuals = mutuals;
  }

  #addressOf(account: number): string {
    return this.#inputs.addresses[account] as string;
  }
}
