import { useEffect, useRef } from 'preact/hooks';
import { retryAfterOf } from '../api/request.ts';

const FIRST_MS = 2_000;
const MAX_MS = 60_000;

/**
 * Tries again after an error that may pass: after an interval that grows with each error, and as soon as the browser is
 * online or the page is visible again.
 */
export function useRetry(error: Error, retry: (() => void) | undefined): void {
  const attempts = useRef(0);
  const latest = useRef(retry);
  latest.current = retry;
  useEffect(() => {
    const retryAfter = retryAfterOf(error);
    if (retryAfter === null) return;
    const attempt = () => {
      if (!document.hidden) latest.current?.();
    };
    const delay = Math.max(Math.min(FIRST_MS * 2 ** attempts.current, MAX_MS), retryAfter * 1000);
    attempts.current += 1;
    const timer = setTimeout(attempt, delay);
    addEventListener('online', attempt);
    document.addEventListener('visibilitychange', attempt);
    return () => {
      clearTimeout(timer);
      removeEventListener('online', attempt);
      document.removeEventListener('visibilitychange', attempt);
    };
  }, [error]);
}
