import { useEffect, useState } from 'preact/hooks';
import type { PageRequest, Request } from './request.ts';
import { cacheResponse, pagesKey, restoredResponse } from './response-cache.ts';

export interface PageSource<T, E> {
  readonly first: PageRequest<T>;
  entriesIn(page: T): readonly E[];
  /** Where a cursor is an offset, an entry may be on two pages; with a key, it is shown once. */
  keyOf?(entry: E): string;
}

export interface Pages<E> {
  readonly entries: readonly E[];
  readonly error: Error | undefined;
  readonly isLoading: boolean;
  /** Whether the last page has been loaded. */
  readonly isComplete: boolean;
  /** The request of the latest page. */
  readonly request: Request<unknown>;
  loadMore(): void;
}

interface State<T, E> {
  readonly url: string;
  readonly entries: readonly E[];
  readonly pages: number;
  readonly latest: PageRequest<T>;
  /** Null after the last page. */
  readonly next: PageRequest<T> | null;
  readonly error?: Error;
}

export const PAGE = 50;

/** Loads a list page by page. Starts again when the URL of the first page changes. */
export function usePages<T, E>({ first, entriesIn, keyOf }: PageSource<T, E>): Pages<E> {
  const { url } = first;
  const key = pagesKey(url);
  const start = (): State<T, E> =>
    (restoredResponse(key) as State<T, E> | undefined) ?? { url, entries: [], pages: 0, latest: first, next: first };
  const [state, setState] = useState<State<T, E>>(start);
  const current = state.url === url ? state : start();
  const { entries, pages, latest, next, error } = current;
  /** A new object tries again after an error. */
  const [wanted, setWanted] = useState({ url, pages: 1 });
  const isWanted = next !== null && pages < (wanted.url === url ? wanted.pages : 1);
  useEffect(() => {
    if (!isWanted) return;
    const closing = new AbortController();
    next.loadPage(closing.signal).then(
      (loaded) => {
        const added = entriesIn(loaded.page);
        const known = new Set(keyOf === undefined ? [] : entries.map(keyOf));
        const fresh = keyOf === undefined ? added : added.filter((entry) => !known.has(keyOf(entry)));
        const then = { url, entries: [...entries, ...fresh], pages: pages + 1, latest: next, next: loaded.next };
        cacheResponse(key, then);
        setState(then);
      },
      (cause: Error) => {
        if (!closing.signal.aborted) setState({ ...current, error: cause });
      },
    );
    return () => closing.abort();
  }, [url, pages, isWanted, wanted]);
  return {
    entries,
    error,
    isLoading: isWanted && error === undefined,
    isComplete: next === null,
    request: latest,
    loadMore() {
      if (next !== null) setWanted({ url, pages: pages + 1 });
    },
  };
}
