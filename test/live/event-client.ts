import http from 'node:http';
import { expect } from 'vitest';
import { waitFor } from '../support/wait-for.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read single fields and assert their values.
export type Item = any;

/** What a stream has sent, by either format: events, undos, progress and problems. */
export interface OpenStream {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  /** Events and undos. */
  readonly events: Item[];
  /** All items: progress has the type `progress`, and `retry` its milliseconds. */
  readonly items: Item[];
  /** The body as it arrived. */
  text(): string;
  /** Of the last item that has one. */
  lastId(): string;
  isEnded(): boolean;
  /** Waits for a number of events and undos. */
  until(count: number): Promise<Item[]>;
  untilEnd(): Promise<Item[]>;
  pause(): void;
  resume(): void;
  close(): void;
}

export interface StreamOptions {
  readonly query?: Readonly<Record<string, string>> | string;
  readonly format?: 'sse' | 'ndjson';
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
  readonly body?: string;
}

const TYPES = { sse: 'text/event-stream', ndjson: 'application/x-ndjson' };

/** Opens a stream of a service, and resolves when its headers have arrived. */
export async function openStream(
  url: string,
  { query = {}, format = 'sse', headers = {}, method = 'GET', body }: StreamOptions = {},
): Promise<OpenStream> {
  const target = new URL(`${url}/api/v1/events?${new URLSearchParams(query)}`);
  const request = http.request(target, { method, headers: { accept: TYPES[format], ...headers }, agent: false });
  request.end(body);
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    request.once('response', resolve).once('error', reject);
  });
  let text = '';
  let read = 0;
  let isEnded = false;
  const items: Item[] = [];
  const events: Item[] = [];
  const take = (item: Item) => {
    items.push(item);
    if (!['progress', 'retry', 'problem', 'comment'].includes(item.type)) events.push(item);
  };
  const end = () => {
    isEnded = true;
  };
  response.setEncoding('utf8');
  response.on('data', (chunk: string) => {
    text += chunk;
    if (!chunk.includes('\n')) return;
    const separator = format === 'sse' ? '\n\n' : '\n';
    for (let at = text.indexOf(separator, read); at !== -1; at = text.indexOf(separator, read)) {
      const block = text.slice(read, at);
      read = at + separator.length;
      if (format === 'sse') take(parseBlock(block));
      else if (block !== '') take(JSON.parse(block));
    }
  });
  response.on('end', end).on('error', end).on('close', end);
  request.on('error', end);
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    ...{ events, items },
    text: () => text,
    lastId: () => items.findLast(({ id }) => id !== undefined)?.id ?? '',
    isEnded: () => isEnded,
    async until(count) {
      await waitFor(() => expect(events.length).toBeGreaterThanOrEqual(count));
      return events;
    },
    async untilEnd() {
      await waitFor(() => expect(isEnded).toBe(true));
      return events;
    },
    pause: () => void response.pause(),
    resume: () => void response.resume(),
    close: () => void request.destroy(),
  };
}

/** A block of server-sent events. */
function parseBlock(block: string): Item {
  const fields = block.split('\n').map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')];
  });
  const fieldOf = (name: string) => fields.find(([field]) => field === name)?.[1];
  const [data, id, event, retry] = [fieldOf('data'), fieldOf('id'), fieldOf('event'), fieldOf('retry')];
  if (data !== undefined) {
    const value = JSON.parse(data);
    if (event === 'problem') return { ...value, type: 'problem' };
    expect({ id, event }).toEqual({ id: value.id, event: value.type });
    return value;
  }
  if (retry !== undefined) return { type: 'retry', ms: Number(retry) };
  const sent = /^sent (\d+)$/.exec(fieldOf('') ?? '')?.[1];
  return id === undefined ? { type: 'comment' } : { type: 'progress', id, sent: Number(sent) };
}
