import { forgetPages } from './response-cache.ts';

/** The requests that are shown, by key. */
const shown = new Map<() => void, string>();

/** Calls back when the response of a request may have changed. */
export function onRefresh(key: string, reload: () => void): () => void {
  shown.set(reload, key);
  return () => void shown.delete(reload);
}

/** Loads the requests again whose key matches, and forgets the lists that going back would restore. */
export function refresh(matches: (key: string) => boolean): void {
  forgetPages(matches);
  for (const [reload, key] of shown) if (matches(key)) reload();
}
