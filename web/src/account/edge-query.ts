import { useLocation } from 'preact-iso';
import type { EdgeSort } from '../api/subject.ts';

/** What the panel of edges shows. It is kept in the URL, so that a page can be shared. */
export interface EdgeQuery {
  readonly sort: EdgeSort;
  readonly tags: readonly string[];
  readonly term: string;
  /** Whether blocks and mutes are included. */
  readonly isAll: boolean;
}

export const SORTS: readonly EdgeSort[] = ['latest', 'earliest', 'followers'];
export const MAX_TERM = 255;

export function useEdgeQuery(): [EdgeQuery, (change: Partial<EdgeQuery>) => void] {
  const { query, route } = useLocation();
  const current: EdgeQuery = {
    sort: SORTS.find((sort) => sort === query.sort) ?? 'latest',
    tags: query.tags ? query.tags.split(',').filter((tag) => tag !== '') : [],
    term: (query.term ?? '').trim().slice(0, MAX_TERM).toWellFormed(),
    isAll: query.all === '1',
  };
  const change = (changed: Partial<EdgeQuery>) => {
    const next = { ...current, ...changed };
    const url = new URL(location.href);
    const set = (name: string, value: string) => {
      if (value === '') url.searchParams.delete(name);
      else url.searchParams.set(name, value);
    };
    set('sort', next.sort === 'latest' ? '' : next.sort);
    set('tags', next.tags.join(','));
    set('term', next.term);
    set('all', next.isAll ? '1' : '');
    route(`${url.pathname}${url.search}`, true);
  };
  return [current, change];
}
