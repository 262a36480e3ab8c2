import { useEffect, useState } from 'preact/hooks';
import type { Request } from './request.ts';
import { cacheResponse, restoredResponse } from './response-cache.ts';

export interface PageSource<T, E> {
  requestOf(offset: number, limit: number): Request<T>;
  entriesIn(page: T): readonly E[];
  /** An entry moves to the next page when another one is inserted before it; with a key, it is shown once. */
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

interface State<E> {
  readonly url: string;
  readonly entries: readonly E[];
  /** Of the next page. */
  readonly offset: number;
  readonly isComplete: boolean;
  readonly error?: Error;
}

const PAGE = 50;

/** Loads a list page by page. Starts again when the URL of the first page changes. */
export function usePages<T, E>({ requestOf, entriesIn, keyOf }: PageSource<T, E>): Pages<E> {
  const { url } = requestOf(0, PAGE);
  const key = `pages of ${url}`;
  const start = (): State<E> =>
    (restoredResponse(key) as State<E> | undefined) ?? { url, entries: [], offset: 0, isComplete: false };
  const [state, setState] = useState<State<E>>(start);
  const current = state.url === url ? state : start();
  const { entries, offset, isComplete, error } = current;
  /** The offset up to which pages are wanted. */
  const [wanted, setWanted] = useState({ url, offset: 1 });
  const isWanted = !isComplete && offset < (wanted.url === url ? wanted.offset : 1);
  useEffect(() => {
    if (!isWanted) return;
    const closing = new AbortController();
    requestOf(offset, PAGE)
      .load(closing.signal)
      .then(
        (page) => {
          const added = entriesIn(page);
          const known = new Set(keyOf === undefined ? [] : entries.map(keyOf));
          const fresh = keyOf === undefined ? added : added.filter((entry) => !known.has(keyOf(entry)));
          const next = {
            url,
            entries: [...entries, ...fresh],
            offset: offset + added.length,
            isComplete: added.length < PAGE,
          };
          cacheResponse(key, next);
          setState(next);
        },
        (cause: Error) => {
          if (!closing.signal.aborted) setState({ ...current, error: cause });
        },
      );
    return () => closing.abort();
  }, [url, offset, isWanted, wanted]);
  return {
    entries,
    error,
    isLoading: isWanted && error === undefined,
    isComplete,
    request: requestOf(Math.max(0, offset - PAGE), PAGE),
    loadMore() {
      if (error !== undefined) setState({ url, entries, offset, isComplete: false });
      if (!isComplete) setWanted({ url, offset: offset + 1 });
    },
  };
}
