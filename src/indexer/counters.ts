import type { Store } from '../store/store.ts';

/** Counters of the indexer. They are flushed to the database, where the serving processes read them for /metrics. */
export interface Counters {
  add(name: CounterName, label: string): void;
  flush(): Promise<void>;
}

type CounterName = 'rpc_faults' | 'reorgs' | 'profile_refreshes';

export function createCounters(store: Store): Counters {
  let pending = new Map<string, { name: CounterName; label: string; value: number }>();
  return {
    add(name, label) {
      const key = `${name} ${label}`;
      const counter = pending.get(key) ?? { name, label, value: 0 };
      counter.value += 1;
      pending.set(key, counter);
    },
    async flush() {
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
