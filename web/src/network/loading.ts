import { useRef } from 'preact/hooks';
import { describeLoading } from './freshness.ts';
import { STATUS_INTERVAL_MS, useStatus } from './use-status.ts';

/** The same as a sentence; null if the load is complete, and undefined until that is known. */
export function useLoading(): string | null | undefined {
  const { data, error } = useStatus(STATUS_INTERVAL_MS);
  if (data === undefined) return error === undefined ? undefined : null;
  if (!data.isLoading) return null;
  const text = describeLoading(data.loading);
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** A number that grows whenever more of the graph has been loaded, and when all of it has. */
export function useLoadedParts(): number {
  const { data } = useStatus(STATUS_INTERVAL_MS);
  const state = useRef<{ part: string | undefined; count: number }>({ part: undefined, count: 0 });
  // A ranking ends each bulk fold of a backfill.
  const part = data && (data.isLoading ? `ranked ${data.ranksMadeAt}` : 'complete');
  if (part !== undefined && part !== state.current.part) {
    state.current = { part, count: state.current.count + (state.current.part === undefined ? 0 : 1) };
  }
  return state.current.count;
}
