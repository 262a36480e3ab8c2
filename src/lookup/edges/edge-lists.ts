import { type RawBuilder, sql } from 'kysely';
import type {
  Follower,
  FollowersBody,
  Following,
  FollowingBody,
  RelationshipsBody,
} from '../../contract/lookup-schemas.ts';
import type { Dialect } from '../../store/dialect.ts';
import { statements } from '../../store/statement.ts';
import type { Reader } from '../../store/store.ts';
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
} from '../page.ts';
import { ACCOUNT, type AccountRef, aboutRef, readAbout, SLOT } from '../refs/account-ref.ts';
import {
  type EdgeSet,
  edgeKeyOf,
  followerColumns,
  followerOf,
  followingColumns,
  followingOf,
  IS_FOLLOW,
  isIn,
  NAMED_ACCOUNT,
  SOURCE,
  TAG_ID,
  TAG_IDS,
} from './edge-entries.ts';

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

/** The edges to an account. */
export async function readFollowers(reader: Reader, ref: AccountRef, page: EdgesPage): Promise<Paged<FollowersBody>> {
  const { sort, edges, withEns, tags, cursor } = page;
  const query = followersOf(sort, edges, withEns, taggingOf(tags), startOf(page));
  const params = { ...keysetParams(page, sort, cursor), tags: JSON.stringify(tags), tag: tags[0] ?? '' };
  const { rows } = await readAbout(reader, query, ref, params);
  const { shown, next } = splitPage(rows, page.limit, edgeKeyOf);
  return { body: pageBody(shown, (some) => ({ followers: some.map((row) => followerOf(row, withEns)) })), next };
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

/** The accounts that a list follows, and with `edges: 'all'` those that it blocks or mutes too. */
export async function readFollowing(reader: Reader, ref: AccountRef, page: EdgesPage): Promise<Paged<FollowingBody>> {
  const { sort, edges, withEns, tags, cursor } = page;
  const query = followingOfRef(sort, edges === 'all', withEns, tags.length > 0, startOf(page));
  const params = { ...keysetParams(page, sort, cursor), tags: JSON.stringify(tags) };
  const { rows } = await readAbout(reader, query, ref, params);
  const { shown, next } = splitPage(rows, page.limit, edgeKeyOf);
  return { body: pageBody(shown, (some) => ({ following: some.map((row) => followingOf(row, withEns)) })), next };
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
