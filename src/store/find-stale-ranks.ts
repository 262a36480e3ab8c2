import { statement } from './statement.ts';
import type { Reader } from './store.ts';

const VERSIONS = statement<object, { key: string; value: number }>((db) =>
  db.selectFrom('state').select(['key', 'value']).where('key', 'in', ['graph_version', 'ranks_graph_version']),
);

/** The graph version that the ranks were computed from if the graph has changed since, else null. Takes no lock. */
export async function findStaleRanks(reader: Reader): Promise<number | null> {
  const values = new Map((await reader.all(VERSIONS, {})).map(({ key, value }) => [key, value]));
  const ranked = values.get('ranks_graph_version') ?? 0;
  return ranked === (values.get('graph_version') ?? 0) ? null : ranked;
}
