import type { Entry } from './entry.ts';

/** How a stream writes what it sends. */
export interface StreamFormat {
  readonly name: string;
  readonly mediaType: string;
  event(entry: Entry, text: string): string;
  progress(id: string, sent: number): string;
  /** Keeps a connection open whose position is not known yet. */
  readonly idle: string;
  /** Why the stream ends, as the body of an error response. */
  problem(body: string): string;
  /** When the client may connect again. */
  retry(ms: number): string;
}

/** @see https://html.spec.whatwg.org/multipage/server-sent-events.html */
export const EVENT_STREAM: StreamFormat = {
  name: 'sse',
  mediaType: 'text/event-stream',
  event: ({ id, type }, text) => `id: ${id}\nevent: ${type}\ndata: ${text}\n\n`,
  // Without data, a browser takes the id and dispatches no event.
  progress: (id, sent) => `: sent ${sent}\nid: ${id}\n\n`,
  idle: ':\n\n',
  problem: (body) => `event: problem\ndata: ${body}\n\n`,
  retry: (ms) => `retry: ${ms}\n\n`,
};

export const NDJSON: StreamFormat = {
  name: 'ndjson',
  mediaType: 'application/x-ndjson',
  event: (_entry, text) => `${text}\n`,
  progress: (id, sent) => `${JSON.stringify({ type: 'progress', id, sent })}\n`,
  idle: '\n',
  problem: (body) => `${JSON.stringify({ ...JSON.parse(body), type: 'problem' })}\n`,
  retry: () => '',
};
