const MAX_RESPONSES = 200;
const responses = new Map<string, unknown>();

/** Keeps a response, so that going back shows the page at once and at the same scroll position. */
export function remember(url: string, response: unknown): void {
  responses.delete(url);
  responses.set(url, response);
  for (const oldest of responses.keys()) {
    if (responses.size <= MAX_RESPONSES) break;
    responses.delete(oldest);
  }
}

export function remembered(url: string): unknown {
  return responses.get(url);
}
