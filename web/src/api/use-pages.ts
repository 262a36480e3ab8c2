import { useEffect, useMemo, useState } from 'preact/hooks';
import { onRefresh } from './refresh.ts';
import type { PageRequest, Request } from './request.ts';
import { cacheResponse, pagesKey, restoredResponse } from './response-cache.ts';

export interface PageSource<T, E> {
  readonly first: PageRequest<T>;
  entriesIn(page: T): readonly E[];
  /** Where a cursor is an offset, an entry may be on two pages; with a key, it is shown once. */
  keyOf?(entry: E): string;
  /** Of a list with the newest entry first: its time. After events, such a list says how many entries are new. */
  timeOf?(entry: E): string;
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
  /** The number of new entries on the first page, as it is after the latest events. */
  readonly newer: number;
  /** Begins the list with them. */
  showNewer(): void;
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
export function usePages<T, E>(source: PageSource<T, E>): Pages<E> {
  const { first, entriesIn, keyOf, timeOf } = source;
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
  const [newest, setNewest] = useState<State<T, E>>();
  useEffect(() => {
    if (timeOf === undefined) return;
    const closing = new AbortController();
    const stop = onRefresh(url, () => {
      first.loadPage(closing.signal).then(
        ({ page, next: second }) => setNewest({ url, entries: entriesIn(page), pages: 1, latest: first, next: second }),
        // The rows stay as they are, and the next event asks again.
        () => undefined,
      );
    });
    return () => {
      stop();
      closing.abort();
    };
  }, [url]);
  const { newer, kept } = useMemo(
    () => compare(entries, pages > 0 && newest?.url === url ? newest : undefined, source),
    [entries, newest],
  );
  return {
    entries: kept,
    error,
    isLoading: isWanted && error === undefined,
    isComplete: next === null,
    request: latest,
    loadMore() {
      if (next !== null) setWanted({ url, pages: pages + 1 });
    },
    newer,
    showNewer() {
      if (newest === undefined) return;
      cacheResponse(key, newest);
      setState(newest);
      setWanted({ url, pages: 1 });
    },
  };
}

/** The number of entries of the newest page that are not shown, and the shown ones that it does not lack. */
function compare<T, E>(
  entries: readonly E[],
  newest: State<T, E> | undefined,
  { keyOf, timeOf }: Pick<PageSource<T, E>, 'keyOf' | 'timeOf'>,
): { readonly newer: number; readonly kept: readonly E[] } {
  if (newest === undefined || timeOf === undefined) return { newer: 0, kept: entries };
  const identityOf = keyOf ?? ((entry: E) => JSON.stringify(entry));
  const times = new Map(entries.map((entry) => [identityOf(entry), timeOf(entry)]));
  const present = new Set(newest.entries.map(identityOf));
  const oldest = newest.entries.at(-1);
  const end = newest.next === null || oldest === undefined ? '' : timeOf(oldest);
  return {
    newer: newest.entries.filter((entry) => times.get(identityOf(entry)) !== timeOf(entry)).length,
    // Those that were undone or taken back.
    kept: entries.filter((entry) => timeOf(entry) <= end || present.has(identityOf(entry))),
  };
}
