import { useEffect, useState } from 'preact/hooks';
import { onRefresh } from './refresh.ts';
import type { Request } from './request.ts';
import { cachedResponse, cacheResponse } from './response-cache.ts';

export interface Loaded<T> {
  /** Of the latest request that succeeded; undefined for another request. */
  readonly data: T | undefined;
  readonly error: Error | undefined;
  reload(): void;
}

/** Loads a request, and again when its key changes or events may have changed its response. Null loads nothing. */
export function useRequest<T>(request: Request<T> | null): Loaded<T> {
  const key = request?.key ?? null;
  const [attempt, setAttempt] = useState(0);
  const [state, setState] = useState<{ key: string | null; data?: T; error?: Error }>({ key: null });
  useEffect(() => {
    if (request === null) return;
    const closing = new AbortController();
    request.load(closing.signal).then(
      (data) => {
        cacheResponse(request.key, data);
        setState({ key: request.key, data });
      },
      (error: Error) => {
        if (!closing.signal.aborted) setState({ key: request.key, error });
      },
    );
    return () => closing.abort();
  }, [key, attempt]);
  const reload = () => setAttempt((count) => count + 1);
  useEffect(() => (key === null ? undefined : onRefresh(key, reload)), [key]);
  const current = state.key === key ? state : { key };
  return {
    data: current.data ?? (key === null ? undefined : (cachedResponse(key) as T | undefined)),
    error: current.error,
    reload,
  };
}
