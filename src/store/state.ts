import { CommandError } from '../errors/operator-error.ts';
import type { Row } from './schema.ts';
import { statement, statements } from './statement.ts';
import type { Reader, Transaction } from './store.ts';
import type { StateKey } from './versions.ts';

const STATE = statement<object, Row<'state'>>((db) => db.selectFrom('state').selectAll());

/** Reads the numbers in `state`. One without a row is 0. */
export async function readState(reader: Pick<Reader, 'all'>): Promise<(key: StateKey) => number> {
  const values = new Map((await reader.all(STATE, {})).map(({ key, value }) => [key, value]));
  return (key) => values.get(key) ?? 0;
}

const demoError = (text: string) => new CommandError('E_DEMO_DATABASE', `the database ${text}`);

/** For real data and a demo database. */
export const holdsDemo = () =>
  demoError(
    'holds a demo graph, which must not be mixed with real data: set DATABASE_URL to another database, or delete this one',
  );

/**
 * Marks the database as one that holds a demo graph. Throws `E_DEMO_DATABASE` unless it is empty or holds the same graph,
 * or a part of it that an interrupted load has left.
 */
export async function markDemo(
  tx: Transaction,
  /** What the graph is generated from. `now` is in Unix seconds. */
  { accounts, seed, now }: Readonly<Record<'accounts' | 'seed' | 'now', number>>,
): Promise<void> {
  const numberOf = await readState(tx);
  const origin = [
    { key: 'demo_accounts', value: accounts },
    { key: 'demo_seed', value: seed },
    { key: 'demo_now', value: now },
  ] as const;
  if (numberOf('is_demo') === 0) {
    if (await isFilled(tx)) throw demoError('has other data, which must not be mixed with a demo graph');
    return tx.upsert('state', [{ key: 'is_demo', value: 1 }, ...origin]);
  }
  // Earlier versions stored only that it is a demo.
  const isSame = numberOf('demo_accounts') === 0 || origin.every(({ key, value }) => numberOf(key) === value);
  if (isSame) return;
  const [storedAccounts, storedSeed, storedNow] = origin.map(({ key }) => numberOf(key));
  throw demoError(
    `holds another demo graph, of --accounts ${storedAccounts} --seed ${storedSeed} --now ${storedNow}: set DATABASE_URL to another database, or delete this one`,
  );
}

/** Throws `E_DEMO_DATABASE` if real data is about to be written into a demo database. */
export async function requireNoDemo(tx: Transaction): Promise<void> {
  if ((await readState(tx))('is_demo') === 1) throw holdsDemo();
}

/** Throws `E_DEMO_DATABASE` if generated data is about to be written into another database than one of a demo. */
export async function requireDemo(tx: Transaction): Promise<void> {
  if ((await readState(tx))('is_demo') === 1) return;
  throw demoError('holds no demo graph, so generated data must not be added');
}

/** What an import, an indexer or a demo fills first. */
const FILLED = ['logs', 'profiles', 'badges', 'cursors', 'indexed_contracts'] as const;
const firstOf = statements((table: (typeof FILLED)[number]) =>
  statement<object, { one: number }>((db) =>
    db
      .selectFrom(table)
      .select((eb) => eb.lit(1).as('one'))
      .limit(1),
  ),
);

/** Whether a table has a row. What relies on the answer has to ask in its transaction. */
export async function hasRows(reader: Reader, table: (typeof FILLED)[number]): Promise<boolean> {
  return (await reader.all(firstOf(table), {})).length > 0;
}

/** Whether anything has been imported or indexed. */
export async function isFilled(reader: Reader): Promise<boolean> {
  for (const table of FILLED) if (await hasRows(reader, table)) return true;
  return false;
}

/** Marks the graph as complete up to some block of each chain: from then on, requests can be answered. */
export async function markLoaded(tx: Transaction): Promise<void> {
  await tx.upsert('state', [{ key: 'is_loaded', value: 1 }]);
}

const UNWRITTEN = statement<object, { account: number }>((db) =>
  db.selectFrom('popularity_changes').select('account').limit(1),
);

/**
 * The graph version that the ranks were computed from if the graph has changed since, or if rows still have to follow these
 * ranks; else null. Takes no lock.
 */
export async function findStaleRanks(reader: Reader): Promise<number | null> {
  const numberOf = await readState(reader);
  const ranked = numberOf('ranks_graph_version');
  const isStale = ranked !== numberOf('graph_version') || (await reader.all(UNWRITTEN, {})).length > 0;
  return isStale ? ranked : null;
}
