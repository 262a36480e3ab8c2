import { type RawBuilder, sql } from 'kysely';
import type { FollowersBody } from '../../contract/lookup-schemas.ts';
import type { Dialect } from '../../store/dialect.ts';
import { statements } from '../../store/statement.ts';
import type { Reader } from '../../store/store.ts';
import { orderBy, PAGE, type Page, type Sort } from '../page.ts';
import { ACCOUNT, type AccountRef, aboutRef, type RefKind, readAbout } from '../refs/account-ref.ts';
import {
  type EdgeSet,
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
}

type Tagging = 'any' | 'one-tag' | 'tags';

/** A page of one tag is one range of an index; of several, the edges of all of them are sorted. */
export function taggingOf(tags: readonly string[]): Tagging {
  if (tags.length === 0) return 'any';
  return new Set(tags).size === 1 ? 'one-tag' : 'tags';
}

const pageOf = statements((kind: RefKind, sort: Sort, edges: EdgeSet, withEns: boolean, tagging: Tagging) =>
  aboutRef<Page & { tags: string; tag: string }, FollowerRow>(
    kind,
    (_db, dialect) => sql`${selectFollowers(dialect, withEns, edgesOf(dialect, tagging))}
      where edges.target = ${ACCOUNT} and ${isIn(edges)} ${orderBy(sort, sql`popularity`)} ${PAGE}`,
  ),
);

/** The columns of `FollowerRow`, from edges and the accounts that they come from. */
export function selectFollowers(dialect: Dialect, withEns: boolean, edges: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select shown.address, shown.active_list, edges.time, edges.back, ${ensOfShown(withEns)} as ens,
      ${tagsOf(dialect, sql`shown.active_slot`, sql`edges.target`)} as tags
    from ${edges} join accounts as shown on shown.id = edges.source`;
}

function edgesOf(dialect: Dialect, tagging: Tagging): RawBuilder<unknown> {
  if (tagging === 'any') return sql`edges`;
  const columns = sql`target, time, prefix, source, relation, back, popularity, 1 as tagged`;
  const tagged = sql`from edge_tags where target = ${ACCOUNT}`;
  return tagging === 'one-tag'
    ? sql`(select ${columns} ${tagged} and tag = ${TAG_ID}) as edges`
    : sql`(select distinct ${columns} ${tagged} and tag in ${TAG_IDS(dialect)}) as edges`;
}

/** The edges to an account. */
export async function readFollowers(reader: Reader, ref: AccountRef, page: EdgesPage): Promise<FollowersBody> {
  const { sort, edges, withEns, tags, limit, offset } = page;
  const query = pageOf(ref.kind, sort, edges, withEns, taggingOf(tags));
  const params = { limit, offset, tags: JSON.stringify(tags), tag: tags[0] ?? '' };
  const { rows } = await readAbout(reader, query, ref, params);
  return { followers: rows.map((row) => followerOf(row, withEns)) };
}
