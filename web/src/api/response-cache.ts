const MAX_RESPONSES = 200;
const responses = new Map<string, unknown>();

export function cacheResponse(key: string, response: unknown): void {
  responses.delete(key);
  responses.set(key, response);
  for (const oldest of responses.keys()) {
    if (responses.size <= MAX_RESPONSES) break;
    responses.delete(oldest);
  }
}

/** For responses that are loaded again while the cached one is shown. */
export function cachedResponse(key: string): unknown {
  return responses.get(key);
}

const PAGES = 'pages of ';

/** The key of the pages of a list, by that of its first request. */
export const pagesKey = (key: string): string => PAGES + key;

export function forgetPages(matches: (key: string) => boolean): void {
  for (const key of responses.keys())
    if (key.startsWith(PAGES) && matches(key.slice(PAGES.length))) responses.delete(key);
}

let isGoingBack = false;
addEventListener('popstate', () => {
  isGoingBack = true;
  // By the second frame the page has been rendered.
  requestAnimationFrame(() => requestAnimationFrame(() => (isGoingBack = false)));
});

/** For responses that are not loaded again: returns one only if the back or forward button leads to the page. */
export function restoredResponse(key: string): unknown {
  return isGoingBack ? responses.get(key) : undefined;
}
