import { followersBody } from '../contract/bodies.ts';
import { param, rowCount } from '../store/prepare.ts';
import type { BuildQuery, Query, ReadBuilder, Reader } from '../store/store.ts';
import { createAccountOf, type Subject, subjectOf } from './account-of-list.ts';
import { createEarliestFollowers } from './earliest-followers.ts';

export const SORTS = ['latest', 'earliest', 'followers'] as const;
type Sort = (typeof SORTS)[number];

export interface FollowersPage {
  readonly limit: number;
  readonly offset: number;
  /** Normalised; a follower has at least one of them. None: every follower. */
  readonly tags: readonly string[];
  readonly sort: Sort;
}

interface Params {
  account?: string;
  list?: string;
  limit: number;
  offset: number;
  /** A JSON array. */
  tags: string;
}

/** The index order that each sort reads along. Ties go by address. */
const ORDERS = {
  latest: ['time', 'desc'],
  earliest: ['time', 'asc'],
  followers: ['popularity', 'desc'],
} as const satisfies Record<Sort, unknown>;

/** The followers of an account. Asked by list, those that the account blocks or mutes are left out. */
export function createFollowersLookup(reader: Reader): (subject: Subject, page: FollowersPage) => Promise<string> {
  const accountOf = createAccountOf(reader);
  const statements = new Map<string, Query<Params, string>>();
  const statement = (kind: Subject['kind'], sort: Sort, tagged: boolean) => {
    const key = `${kind} ${sort} ${tagged}`;
    let query = statements.get(key);
    if (query === undefined) {
      const build = tagged ? taggedPage(reader, kind, sort) : plainPage(kind, sort);
      statements.set(key, (query = reader.prepareColumn(build)));
    }
    return query;
  };
  const earliest = { account: createEarliest(reader, 'account'), list: createEarliest(reader, 'list') };
  return async (subject, { limit, offset, tags, sort }) => {
    const query =
      sort === 'earliest' && tags.length === 0
        ? earliest[subject.kind]
        : statement(subject.kind, sort, tags.length > 0);
    const entries = await query({ ...subject, limit, offset, tags: JSON.stringify(tags) });
    // An unknown list has no followers either.
    if (entries.length === 0) await accountOf(subject);
    return followersBody(entries);
  };
}

/** Where rows are not kept in the order of the key, going backwards saves nothing. */
function createEarliest(reader: Reader, kind: Subject['kind']): Query<Params, string> {
  if (reader.dialect.clustered !== '') return createEarliestFollowers(reader, kind);
  return reader.prepareColumn(plainPage(kind, 'earliest'));
}

type Entries = BuildQuery<Record<string, string>>;

/** One range of the index, read in order. */
function plainPage(kind: Subject['kind'], sort: Sort): Entries {
  const [column, direction] = ORDERS[sort];
  return (db) =>
    db
      .selectFrom('followers')
      .select('entry')
      .where('target', '=', subjectOf(db, kind))
      .$if(kind === 'list', (query) => query.where('hidden', '=', 0))
      .orderBy(column, direction)
      .orderBy('address')
      .limit(rowCount('limit'))
      .offset(rowCount('offset'));
}

/** The keys of the page come from the tags alone; only the entries on the page are visited. */
function taggedPage({ dialect }: Reader, kind: Subject['kind'], sort: Sort): Entries {
  const [column, direction] = ORDERS[sort];
  const keys = (db: ReadBuilder) =>
    db
      .selectFrom('follower_tags')
      .select(['target', 'time', 'address', 'popularity'])
      .distinct()
      .where('target', '=', subjectOf(db, kind))
      .where('tag', 'in', dialect.textsOf(param<string>('tags')))
      .$if(kind === 'list', (query) => query.where('hidden', '=', 0))
      .orderBy(column, direction)
      .orderBy('address')
      .limit(rowCount('limit'))
      .offset(rowCount('offset'));
  return (db) =>
    db
      .selectFrom(keys(db).as('page'))
      .innerJoin('followers', (join) =>
        join
          .onRef('followers.target', '=', 'page.target')
          .onRef('followers.time', '=', 'page.time')
          .onRef('followers.address', '=', 'page.address'),
      )
      .select('followers.entry')
      .orderBy(`page.${column}`, direction)
      .orderBy('page.address');
}
