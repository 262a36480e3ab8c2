import { type RawBuilder, sql } from 'kysely';
import { isoFromSeconds } from '../../contract/iso-time.ts';
import type {
  Follower,
  FollowersBody,
  Following,
  FollowingBody,
  RelationshipsBody,
} from '../../contract/lookup-schemas.ts';
import { MAX_SHOWN_TAGS } from '../../contract/schemas.ts';
import { backCode, backRelation, RELATION_CODES } from '../../graph/relation.ts';
import { ensOf } from '../../names/profile.ts';
import { compareCodePoints } from '../../protocol/code-points.ts';
import type { Dialect } from '../../store/dialect.ts';
import { param } from '../../store/params.ts';
import { columns, type RowOf, statements } from '../../store/statement.ts';
import { LongResultError, type Reader, type StreamReader } from '../../store/store.ts';
import { MAX_SHORT_TEXT } from '../../store/take-rows.ts';
import {
  type EdgeKey,
  type KeysetParams,
  keysetParams,
  mapPage,
  orderOf,
  type Page,
  type Paged,
  pageBody,
  type Sort,
  type Start,
  selectPage,
  splitPage,
  startOf,
  WHOLE,
} from '../page.ts';
import {
  ACCOUNT,
  type AccountRef,
  aboutRef,
  type RefContext,
  readAbout,
  SLOT,
  streamAbout,
} from '../refs/account-ref.ts';

const shown = columns('accounts', 'shown');
const edges = columns('edges');
const records = columns('records');

/** The accounts that edges come from, and those that records name. */
const SOURCE = sql`join accounts as shown on shown.id = edges.source`;
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
    tags: sql<string | null>`case when tagged = 1 then (select ${dialect.jsonArray('tag')} from ${first}) end`,
    tag_count: sql<number | null>`case when tagged = 1 then ${count} end`,
  };
}
type TagRow = RowOf<ReturnType<typeof tagColumns>>;

/** The id of the tag in the parameter `tag`. */
const TAG_ID = sql<number>`(select id from tags where tag = ${param('tag')})`;

/** The ids of the tags in the parameter `tags`, a JSON array. */
const TAG_IDS = (dialect: Dialect) => sql`(select id from tags where tag in ${dialect.textsOf(param<string>('tags'))})`;

/** Throws a `LongResultError` if a short reader has found more tags than it reads. */
export function shownTagsOf({ tags, tag_count }: TagRow): { tags: string[]; more_tags?: number } {
  if (tags === null) return { tags: [] };
  // Safe, here and below: the columns hold what was written as these types.
  const shown = JSON.parse(tags) as string[];
  if (tag_count === null && shown.length > SHORT_TAGS) throw new LongResultError();
  const more = (tag_count ?? shown.length) - shown.length;
  return { tags: shown.sort(compareCodePoints), ...(more > 0 ? { more_tags: more } : {}) };
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
function edgeKeyOf({ term, address }: Pick<FollowingRow, 'term' | 'address'>): EdgeKey {
  return [term ?? 0, address];
}

/** A page of the edges to an account, or of those from it. */
export interface EdgesPage extends Page {
  /** Normalised; an edge has at least one of them. Empty: every edge. */
  readonly tags: readonly string[];
  readonly sort: Sort;
  readonly edges: EdgeSet;
  /** Whether each entry has the profile of its account. */
  readonly withEns: boolean;
  /** Where the page before ended; null for a page by offset. */
  readonly cursor: EdgeKey | null;
}

/** All of these edges. */
type AllEdges = Omit<EdgesPage, keyof typeof WHOLE>;

type Tagging = 'any' | 'one-tag' | 'tags';

/** A page of one tag is one range of an index; of several, the edges of all of them are sorted. */
export function taggingOf(tags: readonly string[]): Tagging {
  if (tags.length === 0) return 'any';
  return new Set(tags).size === 1 ? 'one-tag' : 'tags';
}

const followersOf = statements((sort: Sort, edges: EdgeSet, withEns: boolean, tagging: Tagging, start: Start) =>
  aboutRef<KeysetParams & { tags: string; tag: string }>()((target) => {
    const order = orderOf(sort, sql<number>`popularity`);
    const listing = {
      columns: followerColumns(target, withEns, order[0][0]),
      rows: edgesOf(target.dialect, tagging),
      joined: SOURCE,
      where: sql`edges.target = ${ACCOUNT} and ${isIn(edges)}`,
      order,
      // Those of several tags are sorted.
      isIndexed: tagging !== 'tags',
    };
    return selectPage(listing, start);
  }),
);

function edgesOf(dialect: Dialect, tagging: Tagging): RawBuilder<unknown> {
  if (tagging === 'any') return sql`edges`;
  const columns = sql`target, time, address_key, source, relation, back, popularity, 1 as tagged`;
  const tagged = sql`from edge_tags where target = ${ACCOUNT}`;
  return tagging === 'one-tag'
    ? sql`(select ${columns} ${tagged} and tag = ${TAG_ID}) as edges`
    : sql`(select distinct ${columns} ${tagged} and tag in ${TAG_IDS(dialect)}) as edges`;
}

function selectFollowers(page: EdgesPage) {
  const { sort, edges, withEns, tags, cursor } = page;
  return {
    query: followersOf(sort, edges, withEns, taggingOf(tags), startOf(page)),
    params: { ...keysetParams(page, sort, cursor), tags: JSON.stringify(tags), tag: tags[0] ?? '' },
    bodyOf: (rows: readonly FollowerRow[]) => ({ followers: rows.map((row) => followerOf(row, withEns)) }),
  };
}

/** The edges to an account. */
export async function readFollowers(reader: Reader, ref: AccountRef, page: EdgesPage): Promise<Paged<FollowersBody>> {
  const { query, params, bodyOf } = selectFollowers(page);
  const { rows } = await readAbout(reader, query, ref, params);
  const { shown, next } = splitPage(rows, page.limit, edgeKeyOf);
  return { body: pageBody(shown, bodyOf), next };
}

/** All of them. */
export async function* streamFollowers(
  reader: StreamReader,
  ref: AccountRef,
  edges: AllEdges,
): AsyncGenerator<FollowersBody> {
  const { query, params, bodyOf } = selectFollowers({ ...edges, ...WHOLE });
  for await (const { rows } of streamAbout(reader, query, ref, params)) yield bodyOf(rows);
}

/** Follower count of the account of a record as of the last ranking. */
const POPULARITY = sql<number>`coalesce((select followers from leaderboard where leaderboard.account = records.account), 0)`;

/** Records of the slot, but not of the account itself. */
export const OTHER_RECORDS = sql<boolean>`records.slot = ${SLOT} and records.account <> ${ACCOUNT}`;

const followingOfRef = statements((sort: Sort, isAll: boolean, withEns: boolean, hasTags: boolean, start: Start) =>
  aboutRef<KeysetParams & { tags: string }>()((target) => {
    const conditions = [OTHER_RECORDS, ...(isAll ? [] : [IS_FOLLOW]), ...(hasTags ? [hasTag(target.dialect)] : [])];
    const order = orderOf(sort, POPULARITY);
    const listing = {
      columns: followingColumns(target, withEns, order[0][0]),
      rows: sql`records`,
      joined: NAMED_ACCOUNT,
      where: sql.join(conditions, sql` and `),
      order,
      // Few records have tags, and no index has follower counts.
      isIndexed: !hasTags && sort !== 'followers',
    };
    return selectPage(listing, start);
  }),
);

function hasTag(dialect: Dialect): RawBuilder<boolean> {
  return sql`tagged = 1 and exists (select 1 from record_tags
    where record_tags.slot = records.slot and record_tags.account = records.account and tag in ${TAG_IDS(dialect)})`;
}

function selectFollowing(page: EdgesPage) {
  const { sort, edges, withEns, tags, cursor } = page;
  return {
    query: followingOfRef(sort, edges === 'all', withEns, tags.length > 0, startOf(page)),
    params: { ...keysetParams(page, sort, cursor), tags: JSON.stringify(tags) },
    bodyOf: (rows: readonly FollowingRow[]) => ({ following: rows.map((row) => followingOf(row, withEns)) }),
  };
}

/** The accounts that a list follows, and with `edges: 'all'` those that it blocks or mutes too. */
export async function readFollowing(reader: Reader, ref: AccountRef, page: EdgesPage): Promise<Paged<FollowingBody>> {
  const { query, params, bodyOf } = selectFollowing(page);
  const { rows } = await readAbout(reader, query, ref, params);
  const { shown, next } = splitPage(rows, page.limit, edgeKeyOf);
  return { body: pageBody(shown, bodyOf), next };
}

/** All of them. */
export async function* streamFollowing(
  reader: StreamReader,
  ref: AccountRef,
  edges: AllEdges,
): AsyncGenerator<FollowingBody> {
  const { query, params, bodyOf } = selectFollowing({ ...edges, ...WHOLE });
  for await (const { rows } of streamAbout(reader, query, ref, params)) yield bodyOf(rows);
}

export interface RelationshipsPage extends Page {
  /** Normalised. */
  readonly tag: string;
  readonly direction: RelationshipsBody['direction'];
  readonly cursor: EdgeKey | null;
}

/** The accounts with an edge to the account that has a tag, or those of its own edges that have it. */
export async function readRelationships(
  reader: Reader,
  ref: AccountRef,
  { tag, direction, ...place }: RelationshipsPage,
): Promise<Paged<RelationshipsBody>> {
  const page = { ...place, tags: [tag], sort: 'latest', edges: 'all', withEns: false } as const;
  const relationships = (entries: readonly (Follower | Following)[]): RelationshipsBody => ({
    direction,
    tag,
    relationships: entries.map(({ address, tags, more_tags }) => {
      return { address, tags, ...(more_tags === undefined ? {} : { more_tags }) };
    }),
  });
  return direction === 'incoming'
    ? mapPage(await readFollowers(reader, ref, page), ({ followers }) => relationships(followers))
    : mapPage(await readFollowing(reader, ref, page), ({ following }) => relationships(following));
}
