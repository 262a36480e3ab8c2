import type { Store } from '../store/store.ts';
import { computeRanks } from './compute-ranks.ts';

export interface StaleRanks {
  /** The graph version that the ranks were computed from if the graph has changed since, else null. Takes no lock. */
  find(): Promise<number | null>;
  /** Computes the ranks if the graph has changed since. Returns whether it did. */
  update(now: number): Promise<boolean>;
}

/** Finds ranks that are older than the graph: a process that was killed before its ranking leaves them behind. */
export function prepareStaleRanks({ reader, transaction }: Pick<Store, 'reader' | 'transaction'>): StaleRanks {
  const readVersions = reader.prepare<object, { key: string; value: number }>((db) =>
    db.selectFrom('state').select(['key', 'value']).where('key', 'in', ['graph_version', 'ranks_graph_version']),
  );
  const find = async () => {
    const values = new Map((await readVersions({})).map(({ key, value }) => [key, value]));
    const ranked = values.get('ranks_graph_version') ?? 0;
    return ranked === (values.get('graph_version') ?? 0) ? null : ranked;
  };
  return {
    find,
    async update(now) {
      if ((await find()) === null) return false;
      return (await transaction((tx) => computeRanks(tx, now))) !== null;
    },
  };
}
