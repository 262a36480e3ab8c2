import type { Kysely } from 'kysely';
import type { Dialect } from '../dialect.ts';
import { executeAll } from './statements.ts';

/** An index to count an account's hidden followers, which reading pages from the end needs. */
export async function indexHiddenFollowers(db: Kysely<unknown>, { clustered }: Dialect): Promise<void> {
  if (clustered === '') return;
  await executeAll(db, ['create index followers_hidden on followers (target) where hidden = 1']);
}
