import { useEffect, useMemo, useState } from 'preact/hooks';
import { searchLeaderboard } from '../api/graph-requests.ts';
import type { ResponseOf } from '../api/request.ts';
import { cachedResponse, cacheResponse } from '../api/response-cache.ts';
import { indexIn } from './marked.tsx';

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
/** Accounts whose address begins with the same digits. */
const MAX_STARTING = 200;
/** Fewer hex digits are rather part of a name, and nearly every address has them. */
const MIN_HEX_DIGITS = 6;

interface State {
  readonly term: string;
  readonly matches: readonly Match[];
  readonly error?: Error;
}

/**
 * Searches the leaderboard as the term changes. An empty term matches nothing. With `end`, the term begins an address
 * that ends with it.
 */
export function useSearch(term: string, end: string): Search {
  const [state, setState] = useState<State>({ term: '', matches: [] });
  useEffect(() => {
    if (term === '') {
      setState({ term, matches: [] });
      return;
    }
    const request = searchLeaderboard({ term, limit: end === '' ? LIMIT : MAX_STARTING, guess: 'true' });
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
  const matches = useMemo(
    () => state.matches.filter((match) => isMeant(match, state.term, end)).slice(0, LIMIT),
    [state, end],
  );
  return { matches, error: isCurrent ? state.error : undefined, isCurrent };
}

/** Whether a match is one that the visitor can mean. */
function isMeant({ name, address, guess }: Match, term: string, end: string): boolean {
  if (end !== '') return !guess && address.startsWith(term) && address.endsWith(end);
  const isAddress = /^0?x/i.test(term) || term.length >= MIN_HEX_DIGITS;
  return isAddress || guess === true || indexIn(name, term) !== -1;
}
