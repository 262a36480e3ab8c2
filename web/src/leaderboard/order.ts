import type { ResponseOf } from '../api/request.ts';
import { termOf } from '../components/filter-field.tsx';

export type Page = ResponseOf<'/leaderboard/ranked'>;
export type Member = Page['results'][number];

export const COLUMNS = [
  { key: 'mutuals', label: 'Mutuals' },
  { key: 'followers', label: 'Followers' },
  { key: 'following', label: 'Following' },
  { key: 'blocks', label: 'Blocked by' },
  { key: 'top8', label: 'In top 8 of' },
] as const;

export type Column = (typeof COLUMNS)[number]['key'];

/** What the table shows. It is kept in the URL, so that a page can be shared. */
export interface Order {
  readonly sort: Column;
  readonly direction: 'desc' | 'asc';
  /** Of a search, which has an order of its own; empty without one. */
  readonly term: string;
  /** How many members are left out before the first row. */
  readonly from: number;
}

/** The order in the query of a page; the defaults are those of the API. */
export function orderOf(query: Record<string, string>): Order {
  const sort = COLUMNS.find(({ key }) => key === query.sort)?.key ?? 'mutuals';
  const from = /^\d{1,9}$/.test(query.from ?? '') ? Number(query.from) : 0;
  return { sort, direction: query.direction === 'asc' ? 'asc' : 'desc', term: termOf(query), from };
}

export function pathOf({ sort, direction, term, from }: Order): string {
  const parameters = new URLSearchParams({ sort });
  if (direction === 'asc') parameters.set('direction', direction);
  if (term !== '') parameters.set('term', term);
  if (from > 0) parameters.set('from', `${from}`);
  return `/leaderboard?${parameters}`;
}

/** Largest first, and the reverse if the column is chosen again. */
export function orderAfter({ sort, direction, term }: Order, chosen: Column): Order {
  return { term, from: 0, sort: chosen, direction: chosen === sort && direction === 'desc' ? 'asc' : 'desc' };
}
