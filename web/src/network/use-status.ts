import { useEffect, useReducer } from 'preact/hooks';
import { type Status, status } from '../api/status.ts';

/** How often a page asks for the status unless it shows more of it. */
export const STATUS_INTERVAL_MS = 60_000;
/** The same until the first load is complete. */
const LOADING_INTERVAL_MS = 5_000;

export interface StatusNow {
  /** The latest that was loaded, also after a failure. */
  readonly data: Status | undefined;
  /** Of the latest attempt. */
  readonly error: Error | undefined;
  /** Unix milliseconds of the latest attempt; 0 before the first one. */
  readonly at: number;
  reload(): void;
}

let current: StatusNow = { data: undefined, error: undefined, at: 0, reload: () => void loadStatus() };
let timer: ReturnType<typeof setTimeout> | undefined;
let loading: Promise<StatusNow> | undefined;

/** Each watcher of the status, with the milliseconds after which it wants the next one. */
const watchers = new Map<() => void, number>();

export const statusNow = (): StatusNow => current;

/** Calls back after each attempt to load the status, which is loaded again while the page is visible. */
export function watchStatus(notify: () => void, intervalMs: number): () => void {
  if (watchers.size === 0) document.addEventListener('visibilitychange', schedule);
  watchers.set(notify, intervalMs);
  schedule();
  return () => {
    watchers.delete(notify);
    if (watchers.size === 0) document.removeEventListener('visibilitychange', schedule);
    schedule();
  };
}

/** The status. All components share one request and one timer. */
export function useStatus(intervalMs: number): StatusNow {
  const [, update] = useReducer<number, void>((count) => count + 1, 0);
  const shown = current;
  useEffect(() => {
    const notify = () => update();
    // It may have arrived between the rendering and this effect.
    if (current !== shown) notify();
    return watchStatus(notify, intervalMs);
  }, [intervalMs]);
  return shown;
}

function schedule(): void {
  clearTimeout(timer);
  if (watchers.size === 0 || document.hidden || loading !== undefined) return;
  const interval = Math.min(...watchers.values());
  const due = current.at + (current.data?.isLoading ? Math.min(interval, LOADING_INTERVAL_MS) : interval);
  timer = setTimeout(loadStatus, Math.max(0, due - Date.now()));
}

/** Loads the status now. Calls at the same time share one request. */
export function loadStatus(): Promise<StatusNow> {
  loading ??= status()
    .load(AbortSignal.timeout(10_000))
    .then(
      (data) => ({ data, error: undefined }),
      (error: Error) => ({ data: current.data, error }),
    )
    .then((result) => {
      loading = undefined;
      current = { ...current, ...result, at: Date.now() };
      for (const notify of watchers.keys()) notify();
      schedule();
      return current;
    });
  return loading;
}
