import { sql } from 'kysely';
import type { HopsBody, PathBody } from '../../contract/graph-schemas.ts';
import { bestPath } from '../../graph/best-path.ts';
import type { Address } from '../../protocol/hex.ts';
import { param } from '../../store/params.ts';
import { columns, select, statement } from '../../store/statement.ts';
import type { Reader, SnapshotReader } from '../../store/store.ts';
import { readAccounts } from '../accounts/accounts.ts';
import { addressesOf, type Other } from '../refs/resolver.ts';
import { givenAccounts, LevelSearch, MAX_ROWS, Surroundings, stepsBetween } from './level-search.ts';

const MAX_PATH_STEPS = 6;
const MAX_HOPS = 3;
export const MAX_HOPS_ACCOUNTS = 200;

const { id, address, followers } = columns('accounts');
const idsOf = statement<{ accounts: string }>()(
  (_db, dialect) =>
    select({ id, address }, sql`from accounts where address in ${dialect.textsOf(param('accounts'))}`).query,
);
const ratingsOf = statement<{ ids: string }>()(
  (_db, dialect) => select({ id, address, followers }, sql`from ${givenAccounts(dialect, 'ids')}`).query,
);

async function readIds(reader: Reader, accounts: readonly Address[]): Promise<ReadonlyMap<Address, number>> {
  const rows = await reader.all(idsOf, { accounts: JSON.stringify(accounts) });
  return new Map(rows.map(({ address, id }) => [address, id]));
}

/** A shortest chain of follows from one account to another. */
export function readPath(
  store: SnapshotReader,
  source: Address,
  target: Address,
  maxRows = MAX_ROWS,
): Promise<PathBody> {
  return store.snapshot(async (reader) => {
    const search = new LevelSearch(reader, maxRows);
    const path = source === target ? [source] : await findPath(search, source, target);
    const others = (path ?? []).map((address) => ({ text: address, address }));
    const cards = await readAccounts(reader, others, null);
    const accounts = cards.flatMap((card) => (card === null ? [] : [card]));
    return {
      ...{ source, target },
      length: path === null || path === undefined ? null : path.length - 1,
      path: path ?? [],
      accounts: accounts.map(({ address, name, avatar }) => ({ address, name, avatar })),
      isComplete: path !== undefined,
    };
  });
}

/** Null if there is none, undefined if the search ended before one was found. */
async function findPath(search: LevelSearch, source: Address, target: Address): Promise<Address[] | null | undefined> {
  const ids = await readIds(search.reader, [source, target]);
  const [start, end] = [ids.get(source), ids.get(target)];
  if (start === undefined || end === undefined) return null;
  const [from, to] = [new Surroundings('forward', start), new Surroundings('backward', end)];
  const length = await search.distance(from, to, MAX_PATH_STEPS);
  if (length === null || length === undefined) return length;
  const next = stepsBetween(from, to, length);
  const rows = await search.reader.all(ratingsOf, { ids: JSON.stringify([...next.keys(), end]) });
  const rated = new Map(rows.map(({ id, ...rating }) => [id, rating]));
  // Safe: these are accounts of the same snapshot.
  return bestPath(start, end, next, rated).map((id) => rated.get(id)?.address as Address);
}

/** How many follows lead from an account to each of others, three at most. */
export function readHops(
  store: SnapshotReader,
  source: Address,
  others: readonly Other[],
  maxRows = MAX_ROWS,
): Promise<HopsBody> {
  return store.snapshot(async (reader) => {
    const targets = addressesOf(others);
    const ids = await readIds(reader, [source, ...targets]);
    const start = ids.get(source);
    const from = start === undefined ? null : new Surroundings('forward', start);
    const search = new LevelSearch(reader, maxRows);
    const steps = new Map<Address, number | null | undefined>();
    for (const target of targets) {
      const end = ids.get(target);
      if (target === source) steps.set(target, 0);
      else if (from === null || end === undefined) steps.set(target, null);
      else steps.set(target, await search.distance(from, new Surroundings('backward', end), MAX_HOPS));
    }
    return {
      source,
      hops: others.map(({ address }) => (address === null ? null : { address, steps: steps.get(address) ?? null })),
      isComplete: ![...steps.values()].includes(undefined),
    };
  });
}
