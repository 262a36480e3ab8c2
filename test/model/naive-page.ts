import { compareText, ensOf, type NaiveView, normaliseTag, popularityOf, profileOf } from './naive-view.ts';

export interface PageQuery {
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  /** Comma-separated, as in the query string. */
  readonly tags?: string | undefined;
  readonly sort?: 'latest' | 'earliest' | 'followers' | undefined;
  /** Comma-separated, as in the query string. */
  readonly include?: string | undefined;
}

export interface SearchQuery {
  readonly term: string;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

/** The other account of an edge. */
interface Row {
  readonly address: string;
  readonly tags: readonly string[];
  readonly time: number;
}

export function pageOf<T extends Row>(view: NaiveView, rows: readonly T[], query: PageQuery): T[] {
  const { limit = 10, offset = 0, tags = '', sort = 'latest' } = query;
  const wanted = tags
    .split(',')
    .map(normaliseTag)
    .filter((tag) => tag !== '');
  const found = rows.filter((row) => wanted.length === 0 || wanted.some((tag) => row.tags.includes(tag)));
  if (sort === 'followers') found.sort(byPopularity(view));
  else found.sort(byLatest);
  if (sort === 'earliest') found.reverse();
  return found.slice(offset, offset + limit);
}

/** Without a term nothing is found. */
export function searchOf<T extends Row>(view: NaiveView, rows: readonly T[], query: SearchQuery): T[] {
  const { limit = 10, offset = 0 } = query;
  const term = query.term.trim().toLowerCase();
  if (term === '') return [];
  const classOf = (row: T) => matchClass(term, row.address, profileOf(view, row.address).name.toLowerCase());
  return rows
    .filter((row) => classOf(row) !== -1)
    .sort((a, b) => classOf(a) - classOf(b) || byPopularity(view)(a, b))
    .slice(offset, offset + limit);
}

/** The index of the first condition that an account meets; -1 for none. Without a term all are alike. */
export function matchClass(term: string, address: string, name: string): number {
  if (term === '') return 0;
  return [
    [name, address].includes(term),
    name.indexOf(term) === 0,
    name.indexOf(term) > 0,
    [address, address.replace('0x', '')].some((text) => text.indexOf(term) === 0),
    address.indexOf(term) > 0,
  ].indexOf(true);
}

export function byLatest(a: Row, b: Row): number {
  return b.time - a.time || compareText(a.address, b.address);
}

export function byPopularity(view: NaiveView) {
  return (a: { address: string }, b: { address: string }) =>
    popularityOf(view, b.address) - popularityOf(view, a.address) || compareText(a.address, b.address);
}

/** Adds `ens` to an entry if the query includes it. */
export function withEns<T extends { address: string }>(view: NaiveView, entry: T, include = '') {
  return include.split(',').includes('ens') ? { ...entry, ens: ensOf(view, entry.address) } : entry;
}
