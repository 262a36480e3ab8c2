import { settleAll } from '../async/settle-all.ts';
import type { Address } from '../protocol/hex.ts';
import type { Row } from '../store/schema.ts';
import type { Transaction } from '../store/store.ts';

/** Accounts per round. Bounds the edges in memory: one account may follow thousands. */
const ROUND = 500;

/** The new popularity of an account, and where its edges are. */
export interface Popularity {
  readonly account: number;
  readonly address_key: Address;
  readonly active_slot: number | null;
  readonly popularity: number;
}

/** Writes the popularity of accounts into their edges, which are the records of their active slots. */
export async function patchPopularity(tx: Transaction, accounts: readonly Popularity[]): Promise<void> {
  const active = accounts.filter(({ active_slot }) => active_slot !== null);
  for (let start = 0; start < active.length; start += ROUND) await patchRound(tx, active.slice(start, start + ROUND));
}

async function patchRound(tx: Transaction, accounts: readonly Popularity[]): Promise<void> {
  const bySlot = new Map(accounts.map((account) => [account.active_slot, account]));
  const slots = [...bySlot.keys()];
  const [records, tags] = await settleAll([
    tx.readBy('records', 'slot', slots),
    tx.readBy('record_tags', 'slot', slots),
  ]);
  const edges = new Map<string, Partial<Row<'edges'>>>();
  for (const { slot, account: target, time } of records) {
    const source = bySlot.get(slot);
    // A record of the account itself is no edge.
    if (source === undefined || source.account === target) continue;
    const { address_key, popularity } = source;
    edges.set(`${slot} ${target}`, { target, time, address_key, popularity });
  }
  const tagged = tags.flatMap(({ slot, account, tag }) => {
    const edge = edges.get(`${slot} ${account}`);
    return edge === undefined ? [] : [{ ...edge, tag }];
  });
  await settleAll([
    tx.patch('edges', ['popularity'], [...edges.values()]),
    tx.patch('edge_tags', ['popularity'], tagged),
  ]);
}
