import { CommandError } from '../errors/operator-error.ts';
import { readState } from './state.ts';
import type { Reader, Transaction } from './store.ts';

/** For real data and a demo database. */
export function holdsDemo(): CommandError {
  return new CommandError(
    'E_DEMO_DATABASE',
    'the database holds a demo graph, which must not be mixed with real data: set DATABASE_URL to another database, or delete this one',
  );
}

/** Marks the database as one that holds generated data. */
export async function markDemo(tx: Transaction): Promise<void> {
  await tx.upsert('state', [{ key: 'is_demo', value: 1 }]);
}

export async function isDemo(tx: Transaction): Promise<boolean> {
  return (await readState(tx))('is_demo') === 1;
}

/** Throws `E_DEMO_DATABASE` before real data is written into a demo database. */
export async function requireNoDemo(tx: Transaction): Promise<void> {
  if (await isDemo(tx)) throw holdsDemo();
}

/** Marks the graph as complete up to some block of each chain: from then on, requests can be answered. */
export async function markLoaded(tx: Transaction): Promise<void> {
  await tx.upsert('state', [{ key: 'is_loaded', value: 1 }]);
}

/** The graph version that the ranks were computed from if the graph has changed since, else null. Takes no lock. */
export async function findStaleRanks(reader: Reader): Promise<number | null> {
  const numberOf = await readState(reader);
  const ranked = numberOf('ranks_graph_version');
  return ranked === numberOf('graph_version') ? null : ranked;
}
