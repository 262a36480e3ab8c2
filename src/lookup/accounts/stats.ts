import { type RawBuilder, sql } from 'kysely';
import type { Stats } from '../../contract/schemas.ts';
import { IS_FOLLOW } from '../edges/edge-entries.ts';
import { OTHER_RECORDS } from '../edges/following.ts';
import { ACCOUNT, type RefKind } from '../refs/account-ref.ts';

/** The counts of an account that the graph does not have. */
export const NO_STATS: Stats = { followers_count: 0, following_count: 0 };

/** Current counts. A list that is not its account's primary list has records of its own, which are counted. */
export function selectStats(kind: RefKind): RawBuilder<Stats> {
  const counted = sql`(select count(*) from records where ${OTHER_RECORDS} and ${IS_FOLLOW})`;
  const isPrimary = sql`(select list = primary_list from ref)`;
  const following = kind === 'list' ? sql`case when ${isPrimary} then following else ${counted} end` : sql`following`;
  return sql`select followers as followers_count, ${following} as following_count from accounts where id = ${ACCOUNT}`;
}
