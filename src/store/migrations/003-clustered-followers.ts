import type { Kysely } from 'kysely';
import type { Dialect } from '../dialect.ts';
import { executeAll } from './statements.ts';

/**
 * A clustered table is scanned backwards for the earliest followers, which needs no index. A covering index for the most
 * popular followers avoids ten row lookups per page, half of its time.
 */
export async function clusterFollowers(db: Kysely<unknown>, { clustered }: Dialect): Promise<void> {
  if (clustered === '') return;
  await executeAll(db, [
    'drop index followers_earliest',
    'drop index followers_popular',
    'create index followers_popular on followers (target, popularity desc, address, hidden, entry)',
  ]);
}
