import { randomUUID } from 'node:crypto';
import { OperatorError } from '../errors/operator-error.ts';
import type { Row } from './schema.ts';
import { statement } from './statement.ts';
import type { IndexerLock, Reader, Transaction } from './store.ts';

export type Lease = Row<'leases'>;

/** The row of `leases` that names the holder of the indexer lock, on both engines. */
export const LEASE_NAME = 'indexer';

/** Another process has taken the indexer lock, or may have. The transaction must not commit. */
export class LockLostError extends OperatorError {
  readonly code = 'E_LOCK_LOST';

  constructor(message = 'another process has taken over indexing') {
    super(message);
  }
}

/** The name of a process is for messages; the id tells its holder from others of the same name. */
const HOLDER = /^(.+) [\da-f-]{36}$/;
const LEASE = statement<object, Lease>((db) => db.selectFrom('leases').selectAll());

export function createHolder(name = 'another process'): string {
  return `${name} ${randomUUID()}`;
}

/** What the process that holds the lock, or held it last, is called. */
export async function readHolderName(reader: Reader): Promise<string> {
  const lease = (await reader.all(LEASE, {})).find(({ name }) => name === LEASE_NAME);
  return HOLDER.exec(lease?.holder ?? '')?.[1] ?? 'another process';
}

export async function requireHolder(tx: Transaction, holder: string): Promise<Lease> {
  const [lease] = await tx.readBy('leases', 'name', [LEASE_NAME]);
  if (lease?.holder !== holder) throw new LockLostError();
  return lease;
}

/** Runs `work` in a transaction that commits only while the lock is held. */
export async function fenced<T>(tx: Transaction, lock: IndexerLock, work: (tx: Transaction) => Promise<T>): Promise<T> {
  await lock.fence(tx);
  const result = await work(tx);
  // Again: the work may have taken longer than the lease, which this renews.
  await lock.fence(tx);
  return result;
}
