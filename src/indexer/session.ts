import { setTimeout } from 'node:timers/promises';
import { fenced } from '../store/lease.ts';
import { requireNoDemo } from '../store/state.ts';
import type { IndexerLock, Store } from '../store/store.ts';

/** The time in which this process holds the indexer lock. */
export type Session = ReturnType<typeof createSession>;

export function createSession(store: Store, lock: IndexerLock, ending: AbortSignal) {
  /** One write after another, so that each sees what the one before has left in memory. */
  let last: Promise<unknown> = Promise.resolve();
  const write: Store['transaction'] = (work) => {
    const result = last.then(() =>
      store.transaction(async (tx) => {
        ending.throwIfAborted();
        await requireNoDemo(tx);
        return fenced(tx, lock, work);
      }),
    );
    last = result.catch(() => undefined);
    return result;
  };
  return {
    /** Aborts when the lock is lost or at shutdown. */
    ending,
    /** A transaction that fails after the end of the session, or if another process holds the lock. One runs at a time. */
    write,
    /** Rejects when the session ends. */
    sleep: (ms: number): Promise<void> => setTimeout(ms, undefined, { signal: ending }),
    counters: createCounters(store),
  };
}

/** Counters of the indexer. They are flushed to the database, where the serving processes read them for /metrics. */
export type Counters = ReturnType<typeof createCounters>;

type CounterName = 'rpc_faults' | 'reorgs' | 'profile_refreshes';

export function createCounters(store: Store) {
  let pending = new Map<string, { name: CounterName; label: string; value: number }>();
  return {
    add(name: CounterName, label: string): void {
      const key = `${name} ${label}`;
      const counter = pending.get(key) ?? { name, label, value: 0 };
      counter.value += 1;
      pending.set(key, counter);
    },
    async flush(): Promise<void> {
      const added = [...pending.values()];
      if (added.length === 0) return;
      pending = new Map();
      await store.transaction((tx) =>
        tx.execute((db) =>
          db
            .insertInto('counters')
            .values(added)
            .onConflict((row) =>
              row
                .columns(['name', 'label'])
                .doUpdateSet((eb) => ({ value: eb('counters.value', '+', eb.ref('excluded.value')) })),
            ),
        ),
      );
    },
  };
}
