import type { Reader } from './store.ts';

/** Returns the graph version that the ranks were computed from if the graph has changed since, else null. */
export type FindStaleRanks = () => Promise<number | null>;

/** Takes no lock. */
export function prepareFindStaleRanks(reader: Reader): FindStaleRanks {
  const readVersions = reader.prepare<object, { key: string; value: number }>((db) =>
    db.selectFrom('state').select(['key', 'value']).where('key', 'in', ['graph_version', 'ranks_graph_version']),
  );
  return async () => {
    const values = new Map((await readVersions({})).map(({ key, value }) => [key, value]));
    const ranked = values.get('ranks_graph_version') ?? 0;
    return ranked === (values.get('graph_version') ?? 0) ? null : ranked;
  };
}
