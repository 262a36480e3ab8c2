import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { RELATION_CODES } from '../graph/relation.ts';

export const SORTS = ['latest', 'earliest', 'followers'] as const;
export type Sort = (typeof SORTS)[number];

/** Follows, without or with those from accounts that the target blocks or mutes; or edges of every relation. */
export type EdgeSet = 'visible' | 'follows' | 'all';

const SETS: Readonly<Record<EdgeSet, RawBuilder<boolean>>> = {
  visible: sql`relation = ${sql.lit(RELATION_CODES.follow)} and hidden = 0`,
  follows: sql`relation = ${sql.lit(RELATION_CODES.follow)}`,
  all: sql`1 = 1`,
};

/** The condition of a set of edges. */
export function isIn(edges: EdgeSet): RawBuilder<boolean> {
  return SETS[edges];
}

/** A page of the edges to an account, or of those from it. */
export interface EdgesPage {
  readonly limit: number;
  readonly offset: number;
  /** Normalised; an edge has at least one of them. Empty: every edge. */
  readonly tags: readonly string[];
  readonly sort: Sort;
  readonly edges: EdgeSet;
  /** Whether each entry has the profile of its account. */
  readonly withEns: boolean;
}

/** A sort key and the order of the addresses that share it. */
export interface Order {
  readonly key: 'time' | 'popularity';
  readonly direction: 'asc' | 'desc';
  readonly ties: 'asc' | 'desc';
}

export const ORDERS: Readonly<Record<Sort, Order>> = {
  latest: { key: 'time', direction: 'desc', ties: 'asc' },
  earliest: { key: 'time', direction: 'asc', ties: 'desc' },
  followers: { key: 'popularity', direction: 'desc', ties: 'asc' },
};

/** The rows of a page: which edges, in which order, and what of each is selected. */
export interface PageShape {
  readonly order: Order;
  readonly edges: EdgeSet;
  readonly withEns: boolean;
}

export function inOrder<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  { key, direction, ties }: Order,
): SelectQueryBuilder<DB, TB, O> {
  return query.orderBy(sql.ref(key), direction).orderBy(sql.ref('address'), ties);
}
