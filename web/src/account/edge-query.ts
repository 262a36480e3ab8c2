import type { EdgeSort } from '../api/subject.ts';
import { termOf } from '../components/filter-field.tsx';
import { useQuery } from '../components/use-query.ts';

/** What the panel of edges shows. It is kept in the URL, so that a page can be shared. */
export interface EdgeQuery {
  readonly sort: EdgeSort;
  readonly tags: readonly string[];
  readonly term: string;
  /** Whether blocks and mutes are included. */
  readonly isAll: boolean;
}

export const SORTS: readonly EdgeSort[] = ['latest', 'earliest', 'followers'];

export function useEdgeQuery(): [EdgeQuery, (change: Partial<EdgeQuery>) => void] {
  const [query, set] = useQuery();
  const current: EdgeQuery = {
    sort: SORTS.find((sort) => sort === query.sort) ?? 'latest',
    tags: query.tags ? query.tags.split(',').filter((tag) => tag !== '') : [],
    term: termOf(query),
    isAll: query.all === '1',
  };
  const change = (changed: Partial<EdgeQuery>) => {
    const next = { ...current, ...changed };
    set({
      sort: next.sort === 'latest' ? '' : next.sort,
      tags: next.tags.join(','),
      term: next.term,
      all: next.isAll ? '1' : '',
    });
  };
  return [current, change];
}
