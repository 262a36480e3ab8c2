import { useEffect, useState } from 'preact/hooks';
import type { Request } from './request.ts';
import { cachedResponse, cacheResponse } from './response-cache.ts';

export interface Loaded<T> {
  /** Of the latest request that succeeded; undefined for another URL. */
  readonly data: T | undefined;
  readonly error: Error | undefined;
  reload(): void;
}

/** Loads a request, and again when its URL changes. Null loads nothing. */
export function useRequest<T>(request: Request<T> | null): Loaded<T> {
  const url = request?.url ?? null;
  const [attempt, setAttempt] = useState(0);
  const [state, setState] = useState<{ url: string | null; data?: T; error?: Error }>({ url: null });
  useEffect(() => {
    if (request === null) return;
    const closing = new AbortController();
    request.load(closing.signal).then(
      (data) => {
        cacheResponse(request.url, data);
        setState({ url: request.url, data });
      },
      (error: Error) => {
        if (!closing.signal.aborted) setState({ url: request.url, error });
      },
    );
    return () => closing.abort();
  }, [url, attempt]);
  const current = state.url === url ? state : { url };
  return {
    data: current.data ?? (url === null ? undefined : (cachedResponse(url) as T | undefined)),
    error: current.error,
    reload: () => setAttempt(attempt + 1),
  };
}
