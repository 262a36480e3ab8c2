import { errorOf, KithError, networkError, parseJson, wait } from './request.ts';
import type { Params, Schemas } from './types.ts';

/** An event of a log, or an undo. */
export type StreamEvent = Schemas['EventsPage']['events'][number];
/** All events of its chain above its block are void; what replaces them follows. */
export type UndoEvent = Schemas['UndoEvent'];
export type ChainEvent = Exclude<StreamEvent, UndoEvent>;
/** A later position of the stream, without an event. */
export type Progress = Pick<Schemas['ProgressEvent'], 'type' | 'id'>;

type OneOrMore<T> = T | readonly T[];

/** The parameters of `/events` that streams have. All apply together. */
export type EventFilter = Omit<Params<'/events'>, 'account' | 'type' | 'tag' | 'limit' | 'last'> & {
  /** More than 100 are sent by POST, which takes addresses only. */
  readonly account?: OneOrMore<string> | undefined;
  readonly type?: OneOrMore<ChainEvent['type']> | undefined;
  readonly tag?: OneOrMore<string> | undefined;
};

export interface EventOptions<P extends boolean = boolean> {
  /** The iterator ends when it is aborted. */
  readonly signal?: AbortSignal | undefined;
  /** Whether positions without an event are yielded too, for a program that stores its position. */
  readonly progress?: P | undefined;
  /** `false`: the iterator ends when the stream ends, and throws when it fails, instead of opening it again. */
  readonly reconnect?: boolean | undefined;
  /** Called with each failure after which the stream is opened again. */
  readonly onRetry?: ((error: KithError) => void) | undefined;
}

export type EventIterator<P extends boolean> = AsyncGenerator<
  P extends true ? StreamEvent | Progress : StreamEvent,
  void,
  undefined
>;

export interface EventConnection {
  /** The URL of a stream that begins after a position. */
  urlOf(since: string | undefined): string;
  open(url: string, signal: AbortSignal): Promise<Response>;
}

interface StreamSettings extends EventOptions {
  readonly since: string | undefined;
  /** Whether the iterator ends when it has caught up. */
  readonly untilNow: boolean;
  /** How often a position that the service has not indexed is tried again. */
  readonly retries: number;
}

/** The service sends something every 15 seconds. */
const MAX_SILENCE_MS = 45_000;
const FIRST_BACKOFF_S = 0.5;
const MAX_BACKOFF_S = 30;
/** Events that are compared with later ones. */
const MAX_RECENT = 1000;

/** The events of a stream, which is opened again wherever it was interrupted. */
export async function* streamEvents(
  connection: EventConnection,
  { since, untilNow, retries, signal, progress = false, reconnect = true, onRetry }: StreamSettings,
): AsyncGenerator<StreamEvent | Progress, void, undefined> {
  const isNew = createRecentEvents();
  let position = since;
  let failures = 0;
  let retriesLeft = retries;
  while (!signal?.aborted) {
    let seconds = 0;
    let isCaughtUp = false;
    let positions = 0;
    try {
      for await (const { id, data, retry } of readBlocks(connection, position, signal)) {
        // Only a complete stream ends with a position, and without a time for the next connection.
        isCaughtUp = id !== undefined && data === undefined;
        if (retry !== undefined) seconds = Number(retry) / 1000;
        if (id === undefined) continue;
        position = id;
        retriesLeft = retries;
        // A connection that was closed after its first position was no success.
        if (++positions > 1) failures = 0;
        // Safe: the types are generated from the schemas of the service.
        const item = data === undefined ? ({ type: 'progress', id } as const) : (JSON.parse(data) as StreamEvent);
        if (item.type === 'progress' ? progress : isNew(item)) yield item;
        if (signal?.aborted) return;
      }
      if (!reconnect || (untilNow && isCaughtUp)) return;
    } catch (error) {
      if (signal?.aborted) return;
      if (!reconnect || !(error instanceof KithError) || !mayPass(error)) throw error;
      // Behind the same URL, another server may have indexed the position.
      if (error.status === 409 && !(retriesLeft-- > 0)) throw error;
      onRetry?.(error);
      seconds = Math.max(seconds, error.retryAfter ?? 0);
    }
    const backoff = Math.min(MAX_BACKOFF_S, FIRST_BACKOFF_S * 2 ** failures++);
    await wait(seconds + Math.random() * backoff, signal).catch(() => undefined);
  }
}

const PASSING = [408, 409, 429];
const mayPass = ({ status }: KithError) => status === 0 || status >= 500 || PASSING.includes(status);

/** The fields of a block of server-sent events. */
type Block = Readonly<Partial<Record<string, string>>>;

/** The blocks of a stream as they arrive, until it ends. */
async function* readBlocks(
  { urlOf, open }: EventConnection,
  since: string | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<Block, void, undefined> {
  const url = urlOf(since);
  const controller = new AbortController();
  const abort = () => controller.abort();
  signal?.addEventListener('abort', abort);
  /** A connection may be broken without a sign of it. */
  const inTime = <T>(arriving: Promise<T>): Promise<T> => {
    const silent = () => controller.abort(new Error(`nothing has arrived for ${MAX_SILENCE_MS / 1000} seconds`));
    const timer = setTimeout(silent, MAX_SILENCE_MS);
    return arriving.finally(() => clearTimeout(timer));
  };
  try {
    const response = await inTime(open(url, controller.signal));
    const { ok, status, headers, body } = response;
    if (!ok || body === null || !headers.get('content-type')?.startsWith('text/event-stream'))
      throw errorOf(url, status, parseJson(await inTime(response.text())), headers);
    const reader = body.getReader();
    const decoder = new TextDecoder();
    for (let text = ''; ; ) {
      const { done, value } = await inTime(reader.read());
      if (done) return;
      const blocks = (text + decoder.decode(value, { stream: true })).split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks.map(parseBlock)) {
        if (block.event === 'problem') throw problemOf(url, block);
        yield block;
      }
    }
  } catch (error) {
    throw error instanceof KithError ? error : networkError(url, error);
  } finally {
    signal?.removeEventListener('abort', abort);
    controller.abort();
  }
}

/** @see https://html.spec.whatwg.org/multipage/server-sent-events.html */
function parseBlock(block: string): Block {
  return Object.fromEntries(
    block.split('\n').map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')];
    }),
  );
}

function problemOf(url: string, { data = '' }: Block): KithError {
  const body = parseJson(data) as { readonly status?: number } | undefined;
  return errorOf(url, body?.status ?? 200, body);
}

/** Whether an event is not among the last ones. */
function createRecentEvents(): (event: StreamEvent) => boolean {
  const recent = new Map<string, ChainEvent>();
  return (event) => {
    if (event.type === 'undo') {
      // A later reorg may bring the same block back, and its events with it.
      for (const [key, { chain_id, block }] of recent)
        if (chain_id === event.chain_id && block > event.block) recent.delete(key);
      return true;
    }
    const key = `${event.chain_id} ${event.block_hash} ${event.log_index}`;
    if (recent.has(key)) return false;
    recent.set(key, event);
    const [oldest = ''] = recent.keys();
    if (recent.size > MAX_RECENT) recent.delete(oldest);
    return true;
  };
}
