import { useEffect, useState } from 'preact/hooks';
import { searchLeaderboard } from '../api/graph-requests.ts';
import type { ResponseOf } from '../api/request.ts';
import { cachedResponse, cacheResponse } from '../api/response-cache.ts';

type Answer = ResponseOf<'/leaderboard/search'>;
export type Match = Answer['results'][number];

export interface Search {
  /** Those of an earlier term stay until those of this one are there. */
  readonly matches: readonly Match[];
  readonly error: Error | undefined;
  /** Whether the matches are those of the term. */
  readonly isCurrent: boolean;
}

const DEBOUNCE_MS = 120;
const LIMIT = 8;

interface State {
  readonly term: string;
  readonly matches: readonly Match[];
  readonly error?: Error;
}

/** Searches the leaderboard as the term changes. An empty term matches nothing. */
export function useSearch(term: string): Search {
  const [state, setState] = useState<State>({ term: '', matches: [] });
  useEffect(() => {
    if (term === '') {
      setState({ term, matches: [] });
      return;
    }
    const request = searchLeaderboard({ term, limit: LIMIT, guess: 'true' });
    const known = cachedResponse(request.url) as Answer | undefined;
    if (known !== undefined) setState({ term, matches: known.results });
    const closing = new AbortController();
    const load = () =>
      request.load(closing.signal).then(
        (answer) => {
          cacheResponse(request.url, answer);
          setState({ term, matches: answer.results });
        },
        (error: Error) => {
          if (!closing.signal.aborted) setState({ term, matches: [], error });
        },
      );
    const timer = setTimeout(load, DEBOUNCE_MS);
    return () => {
      clearTimeout(timer);
      closing.abort();
    };
  }, [term]);
  const isCurrent = state.term === term;
  return { matches: state.matches, error: isCurrent ? state.error : undefined, isCurrent };
}
