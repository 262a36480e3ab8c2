import { type RawBuilder, sql } from 'kysely';
import { isoFromSeconds } from '../../contract/iso-time.ts';
import type { Follower, Following } from '../../contract/lookup-schemas.ts';
import type { Ens, StoredEns } from '../../contract/schemas.ts';
import { backCode, backRelation, RELATION_CODES } from '../../graph/relation.ts';
import { emptyProfile } from '../../names/profile.ts';
import type { Address } from '../../protocol/hex.ts';
import type { Dialect } from '../../store/dialect.ts';
import { param } from '../../store/params.ts';
import type { EdgeKey } from '../page.ts';

/** What is selected of the account of an entry, which is the table `shown`. */
interface Shown {
  readonly address: Address;
  /** The tags of the record, as a JSON array; null if there are none. */
  readonly tags: string | null;
  /** When the record or its tags last changed. */
  readonly time: number;
  /** The profile as JSON; null if there is none, or if it was not selected. */
  readonly ens: string | null;
  /** The first term of the order; null if it was not selected. */
  readonly term: number | null;
}

export interface FollowerRow extends Shown {
  readonly active_list: string | null;
  readonly back: number;
}

export type FollowingRow = Shown;

export const IS_FOLLOW = sql<boolean>`relation = ${sql.lit(RELATION_CODES.follow)}`;
/** The target follows the source. */
const IS_FOLLOWED_BACK = sql<boolean>`back = ${sql.lit(backCode('follow'))}`;
/** The target blocks or mutes the source. */
const IS_HIDDEN = sql<boolean>`back > 1`;

/**
 * Follows, without or with those from accounts that the target blocks or mutes; those from accounts that it follows; or
 * edges of every relation.
 */
export type EdgeSet = 'visible' | 'follows' | 'mutuals' | 'all';

export function isIn(edges: EdgeSet): RawBuilder<boolean> {
  switch (edges) {
    case 'visible':
      return sql`${IS_FOLLOW} and not (${IS_HIDDEN})`;
    case 'follows':
      return IS_FOLLOW;
    case 'mutuals':
      return sql`${IS_FOLLOW} and ${IS_FOLLOWED_BACK}`;
    case 'all':
      return sql`1 = 1`;
  }
}

/** The tags of a record; most records have none, and nothing is looked up for those. */
export function tagsOf(dialect: Dialect, slot: RawBuilder<unknown>, account: RawBuilder<unknown>): RawBuilder<string> {
  return sql`case when tagged = 1 then (select ${dialect.jsonTexts('tags.tag')} from record_tags
    join tags on tags.id = record_tags.tag where record_tags.slot = ${slot} and record_tags.account = ${account}) end`;
}

export function ensOfShown(withEns: boolean): RawBuilder<string | null> {
  return withEns ? sql`(select ens from profiles where profiles.address = shown.address)` : sql`null`;
}

/** The id of the tag in the parameter `tag`. */
export const TAG_ID = sql<number>`(select id from tags where tag = ${param('tag')})`;

/** The ids of the tags in the parameter `tags`, a JSON array. */
export const TAG_IDS = (dialect: Dialect) =>
  sql`(select id from tags where tag in ${dialect.textsOf(param<string>('tags'))})`;

/** Sorted by code unit, which is not the order of bytes. */
export function parseTags(tags: string | null): string[] {
  // Safe, here and below: the columns hold what was written as these types.
  return tags === null ? [] : (JSON.parse(tags) as string[]).sort();
}

export function parseEns(ens: string | null, address: Address): Ens {
  const stored = JSON.parse(ens ?? emptyProfile(address)) as StoredEns;
  return { ...stored, updated_at: stored.fresh === 0 ? '' : new Date(stored.fresh).toISOString() };
}

export function followerOf(row: FollowerRow, withEns: boolean): Follower {
  const { address, active_list, tags, time, back } = row;
  const relation = backRelation(back);
  const list = active_list ?? '';
  return {
    svc_list_nft_token_id: list,
    efp_list_nft_token_id: list,
    address,
    tags: parseTags(tags),
    is_following: relation === 'follow',
    is_blocked: relation === 'block',
    is_muted: relation === 'mute',
    updated_at: isoFromSeconds(time),
    ...(withEns ? { ens: parseEns(row.ens, address) } : {}),
  };
}

export function followingOf({ address, tags, time, ens }: FollowingRow, withEns: boolean): Following {
  return {
    version: 1,
    record_type: 'address',
    data: address,
    address,
    tags: parseTags(tags),
    updated_at: isoFromSeconds(time),
    ...(withEns ? { ens: parseEns(ens, address) } : {}),
  };
}

/** The position of an entry in a page of edges or records. */
export function edgeKeyOf({ term, address }: Shown): EdgeKey {
  return [term ?? 0, address];
}
