import { type RawBuilder, sql } from 'kysely';
import { isoFromSeconds } from '../../contract/iso-time.ts';
import type { Follower, Following } from '../../contract/lookup-schemas.ts';
import { MAX_SHOWN_TAGS, type Spliced, splice } from '../../contract/schemas.ts';
import { backCode, backRelation, RELATION_CODES } from '../../graph/relation.ts';
import { boundedEns, emptyProfile } from '../../names/profile.ts';
import { compareCodePoints } from '../../protocol/code-points.ts';
import type { Address } from '../../protocol/hex.ts';
import type { Dialect } from '../../store/dialect.ts';
import { param } from '../../store/params.ts';
import { columns, type RowOf } from '../../store/statement.ts';
import { LongResultError } from '../../store/store.ts';
import { MAX_SHORT_TEXT } from '../../store/take-rows.ts';
import type { EdgeKey } from '../page.ts';
import type { RefContext } from '../refs/account-ref.ts';

const shown = columns('accounts', 'shown');
const edges = columns('edges');
const records = columns('records');

/** The accounts that edges come from, and those that records name. */
export const SOURCE = sql`join accounts as shown on shown.id = edges.source`;
export const NAMED_ACCOUNT = sql`join accounts as shown on shown.id = records.account`;

/** What an entry shows of an edge, from edges and `SOURCE`. `term` is the first one of the order. */
export const followerColumns = (target: TagTarget, withEns: boolean, term: RawBuilder<number | null>) => ({
  ...ofShown(target, withEns, term),
  active_list: shown.active_list,
  time: edges.time,
  back: edges.back,
  ...tagColumns(target, shown.active_slot, edges.target),
});
type FollowerRow = RowOf<ReturnType<typeof followerColumns>>;

/** The same of a record, from records and `NAMED_ACCOUNT`. */
export const followingColumns = (target: TagTarget, withEns: boolean, term: RawBuilder<number | null>) => ({
  ...ofShown(target, withEns, term),
  time: records.time,
  ...tagColumns(target, records.slot, records.account),
});
type FollowingRow = RowOf<ReturnType<typeof followingColumns>>;

/** The profile is null if there is none, or if it was not selected. */
function ofShown({ isShort }: TagTarget, withEns: boolean, term: RawBuilder<number | null>) {
  // A profile that was stored without a bound is too long for a short reader, whatever its length is.
  const ens = isShort ? sql`substr(ens, 1, ${sql.lit(MAX_SHORT_TEXT + 1)})` : sql`ens`;
  const profile = withEns ? sql`(select ${ens} from profiles where profiles.address = shown.address)` : sql`null`;
  return { address: shown.address, ens: profile.$castTo<string | null>(), term };
}

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

/** Nearly all records have fewer tags. SQLite reads those of a whole page before it returns the first row. */
const SHORT_TAGS = 10;

/** What `tagColumns` selects for. */
type TagTarget = Pick<RefContext, 'dialect' | 'isShort'>;

/**
 * The first tags of a record as a JSON array, null if there are none, and the number of all, null if they were not
 * counted. Most records have no tags, and nothing is looked up for those. To find the first tags of a record, all of its
 * tags are read and sorted. A short reader reads few instead, and gives up if there are more.
 */
export function tagColumns(
  { dialect, isShort }: TagTarget,
  slot: RawBuilder<number | null>,
  account: RawBuilder<number>,
) {
  const own = sql`record_tags.slot = ${slot} and record_tags.account = ${account}`;
  const order = isShort ? sql`` : sql`order by tags.tag`;
  const limit = sql.lit(isShort ? SHORT_TAGS + 1 : MAX_SHOWN_TAGS);
  const first = sql`(select tags.tag from record_tags join tags on tags.id = record_tags.tag
    where ${own} ${order} limit ${limit}) as shown_tags`;
  const count = isShort ? sql`null` : sql`(select count(*) from record_tags where ${own})`;
  return {
    tags: sql<string | null>`case when tagged = 1 then (select ${dialect.jsonTexts('tag')} from ${first}) end`,
    tag_count: sql<number | null>`case when tagged = 1 then ${count} end`,
  };
}
type TagRow = RowOf<ReturnType<typeof tagColumns>>;

/** The id of the tag in the parameter `tag`. */
export const TAG_ID = sql<number>`(select id from tags where tag = ${param('tag')})`;

/** The ids of the tags in the parameter `tags`, a JSON array. */
export const TAG_IDS = (dialect: Dialect) =>
  sql`(select id from tags where tag in ${dialect.textsOf(param<string>('tags'))})`;

/** Throws a `LongResultError` if a short reader has found more tags than it reads. */
export function shownTagsOf({ tags, tag_count }: TagRow): { tags: string[]; more_tags?: number } {
  if (tags === null) return { tags: [] };
  // Safe, here and below: the columns hold what was written as these types.
  const shown = JSON.parse(tags) as string[];
  if (tag_count === null && shown.length > SHORT_TAGS) throw new LongResultError();
  const more = (tag_count ?? shown.length) - shown.length;
  return { tags: shown.sort(compareCodePoints), ...(more > 0 ? { more_tags: more } : {}) };
}

/** The texts of a profile have no quotation marks that are not escaped. */
const FRESH = /,"fresh":(\d+),"resolver":/;

/** The stored profile with `updated_at`, as JSON. */
export function ensJson(stored: string | null, address: Address): string {
  const ens = stored === null ? emptyProfile(address) : boundedEns(stored);
  const fresh = Number(FRESH.exec(ens)?.[1]);
  return `${ens.slice(0, -1)},"updated_at":"${fresh === 0 ? '' : new Date(fresh).toISOString()}"}`;
}

/** The same as a part of an answer. */
export function ensOf(stored: string | null, address: Address): Spliced {
  return splice(ensJson(stored, address));
}

export function followerOf(row: FollowerRow, withEns: boolean): Follower {
  const { address, active_list, time, back } = row;
  const relation = backRelation(back);
  const list = active_list ?? '';
  return {
    svc_list_nft_token_id: list,
    efp_list_nft_token_id: list,
    address,
    ...shownTagsOf(row),
    is_following: relation === 'follow',
    is_blocked: relation === 'block',
    is_muted: relation === 'mute',
    updated_at: isoFromSeconds(time),
    ...(withEns ? { ens: ensOf(row.ens, address) } : undefined),
  };
}

export function followingOf(row: FollowingRow, withEns: boolean): Following {
  const { address, time, ens } = row;
  return {
    version: 1,
    record_type: 'address',
    data: address,
    address,
    ...shownTagsOf(row),
    updated_at: isoFromSeconds(time),
    ...(withEns ? { ens: ensOf(ens, address) } : undefined),
  };
}

/** The position of an entry in a page of edges or records. */
export function edgeKeyOf({ term, address }: Pick<FollowingRow, 'term' | 'address'>): EdgeKey {
  return [term ?? 0, address];
}
