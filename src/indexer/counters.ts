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
      await store.transaction(async (tx) => {
        const keys = added.map(({ name, label }) => [name, label]);
        const known = await tx.read('counters', ['name', 'label'], keys);
        const before = new Map(known.map(({ name, label, value }) => [`${name} ${label}`, value]));
        const sum = (name: string, label: string, value: number) => (before.get(`${name} ${label}`) ?? 0) + value;
        await tx.upsert(
          'counters',
          added.map(({ name, label, value }) => ({ name, label, value: sum(name, label, value) })),
        );
      });
    },
  };
}
