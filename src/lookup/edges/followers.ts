import { type RawBuilder, sql } from 'kysely';
import type { FollowersBody } from '../../contract/lookup-schemas.ts';
import type { Dialect } from '../../store/dialect.ts';
import { statements } from '../../store/statement.ts';
import type { Reader } from '../../store/store.ts';
import { orderOf, type Start, selectPage, startOf } from '../order.ts';
import { type EdgeKey, type KeysetParams, keysetParams, type Page, type Paged, type Sort, splitPage } from '../page.ts';
import { ACCOUNT, type AccountRef, aboutRef, readAbout } from '../refs/account-ref.ts';
import {
  type EdgeSet,
  edgeKeyOf,
  ensOfShown,
  type FollowerRow,
  followerOf,
  isIn,
  TAG_ID,
  TAG_IDS,
  tagsOf,
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

const pageOf = statements((sort: Sort, edges: EdgeSet, withEns: boolean, tagging: Tagging, start: Start) =>
  aboutRef<KeysetParams & { tags: string; tag: string }, FollowerRow>(({ dialect }) => {
    const order = orderOf(sort, sql`popularity`);
    const listing = {
      columns: followerColumns(dialect, withEns, order[0][0]),
      rows: edgesOf(dialect, tagging),
      joined: SOURCE,
      where: sql`edges.target = ${ACCOUNT} and ${isIn(edges)}`,
      order,
      // Those of several tags are sorted.
      isIndexed: tagging !== 'tags',
    };
    return selectPage(listing, start);
  }),
);

/** The accounts that edges come from. */
export const SOURCE = sql`join accounts as shown on shown.id = edges.source`;

/** The columns of `FollowerRow`, from edges and `SOURCE`. */
export function followerColumns(dialect: Dialect, withEns: boolean, term: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`shown.address, shown.active_list, edges.time, edges.back, ${ensOfShown(withEns)} as ens, ${term} as term,
    ${tagsOf(dialect, sql`shown.active_slot`, sql`edges.target`)} as tags`;
}

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
  const query = pageOf(sort, edges, withEns, taggingOf(tags), startOf(page));
  const params = { ...keysetParams(page, sort, cursor), tags: JSON.stringify(tags), tag: tags[0] ?? '' };
  const { rows } = await readAbout(reader, query, ref, params);
  const { shown, next } = splitPage(rows, page.limit, edgeKeyOf);
  return { body: { followers: shown.map((row) => followerOf(row, withEns)) }, next };
}
