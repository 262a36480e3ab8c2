import type { ResponseOf } from '../api/request.ts';

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

export interface Order {
  readonly sort: Column;
  readonly direction: 'desc' | 'asc';
}

/** The order in the query of a page; the defaults are those of the API. */
export function orderOf(query: Record<string, string>): Order {
  const sort = COLUMNS.find(({ key }) => key === query.sort)?.key ?? 'mutuals';
  return { sort, direction: query.direction === 'asc' ? 'asc' : 'desc' };
}

export function pathOf({ sort, direction }: Order): string {
  return `/leaderboard?sort=${sort}${direction === 'asc' ? '&direction=asc' : ''}`;
}

/** Largest first, and the reverse if the column is chosen again. */
export function orderAfter({ sort, direction }: Order, chosen: Column): Order {
  return { sort: chosen, direction: chosen === sort && direction === 'desc' ? 'asc' : 'desc' };
}
