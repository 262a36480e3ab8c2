import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { queryDatabase } from '../store/query-database.ts';
import type { TestDatabase } from '../support/engines.ts';
import { waitFor } from '../support/wait-for.ts';

/** A command that runs in this process. */
export interface Running {
  /** Whether it has ended, or waits for a lock that it asks for again and again. */
  isBlocked(): boolean;
}

/** Starts commands one after another while the writer lock is held, each when the one before waits for the lock. */
export function useHeldLock(engine: Store['engine']) {
  const workers = countWorkers();
  return async <R extends Running>(
    database: TestDatabase,
    store: Store,
    starts: readonly (() => R)[],
  ): Promise<R[]> => {
    const release = await holdWriterLock(store);
    const before = workers.started();
    const running: R[] = [];
    for (const [i, start] of starts.entries()) {
      const command = start();
      running.push(command);
      // All that it reads before its first transaction has been read.
      await waitFor(async () => {
        if (command.isBlocked()) return;
        const waiting = engine === 'sqlite' ? workers.started() - before : await countWaiting(database);
        expect(waiting).toBeGreaterThan(i);
      });
    }
    await release();
    return running;
  };
}

/** Begins a transaction, so that the commands wait for its end. */
async function holdWriterLock(store: Store): Promise<() => Promise<void>> {
  const [entered, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const held = store.transaction(async () => {
    entered.resolve();
    await done.promise;
  });
  onTestFinished(async () => {
    done.resolve();
    await held;
  });
  await entered.promise;
  return async () => {
    done.resolve();
    await held;
  };
}

/** A command on SQLite starts a thread at its first transaction. */
function countWorkers() {
  let started = 0;
  const count = () => {
    started += 1;
  };
  beforeAll(() => void process.on('worker', count));
  afterAll(() => void process.off('worker', count));
  return { started: () => started };
}

async function countWaiting(database: TestDatabase): Promise<number> {
  const waiting = await queryDatabase(
    database,
    `select pid from pg_locks where locktype = 'advisory' and not granted
     and database = (select oid from pg_database where datname = current_database())`,
  );
  return waiting.length;
}
