import { useEffect, useState } from 'preact/hooks';
import { remember, remembered } from './memory.ts';
import type { Request } from './request.ts';

export interface PageSource<T, E> {
  requestOf(offset: number, limit: number): Request<T>;
  entriesIn(page: T): readonly E[];
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
  readonly isComplete: boolean;
  readonly error?: Error;
}

const PAGE = 50;

/** Loads a list page by page. Starts again when the URL of the first page changes. */
export function usePages<T, E>({ requestOf, entriesIn }: PageSource<T, E>): Pages<E> {
  const { url } = requestOf(0, PAGE);
  const key = `pages of ${url}`;
  const first: State<E> = (remembered(key) as State<E> | undefined) ?? { url, entries: [], isComplete: false };
  const [state, setState] = useState<State<E>>(first);
  const current = state.url === url ? state : first;
  const offset = current.entries.length;
  /** The offset up to which pages are wanted. */
  const [wanted, setWanted] = useState({ url, offset: 1 });
  const isWanted = !current.isComplete && offset < (wanted.url === url ? wanted.offset : 1);
  useEffect(() => {
    if (!isWanted) return;
    const closing = new AbortController();
    requestOf(offset, PAGE)
      .load(closing.signal)
      .then(
        (page) => {
          const added = entriesIn(page);
          const next = { url, entries: [...current.entries, ...added], isComplete: added.length < PAGE };
          remember(key, next);
          setState(next);
        },
        (error: Error) => {
          if (!closing.signal.aborted) setState({ ...current, error });
        },
      );
    return () => closing.abort();
  }, [url, offset, isWanted, wanted]);
  return {
    entries: current.entries,
    error: current.error,
    isLoading: isWanted && current.error === undefined,
    isComplete: current.isComplete,
    request: requestOf(Math.max(0, offset - PAGE), PAGE),
    loadMore() {
      if (current.error !== undefined) setState({ url, entries: current.entries, isComplete: false });
      if (!current.isComplete) setWanted({ url, offset: offset + 1 });
    },
  };
}
