import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  createClient,
  type EventFilter,
  type EventOptions,
  KithError,
  type StreamEvent,
} from '../../packages/client/src/client.ts';

const URL_BASE = 'http://kith.example/api/v1/events';

const place = (block: number, fork = 'a') => ({ chain_id: 10, block, block_hash: `0x${fork}${block}`, log_index: 0 });
/** A block of the stream, with the position `id`. */
const event = (id: string, of: object) =>
  `id: ${id}\nevent: follow\ndata: ${JSON.stringify({ id, type: 'follow', ...of })}\n\n`;
const undo = (id: string, block: number) =>
  `id: ${id}\nevent: undo\ndata: ${JSON.stringify({ id, type: 'undo', chain_id: 10, block, block_hash: '0x' })}\n\n`;
const progress = (id: string) => `: sent 0\nid: ${id}\n\n`;
const retry = (ms: number) => `retry: ${ms}\n\n`;
const problemBody = (status: number, code: string) => ({ status, code, detail: `it is ${code}` });
const problem = (status: number, code: string) =>
  `event: problem\ndata: ${JSON.stringify(problemBody(status, code))}\n\n`;

const HEADERS = { 'content-type': 'text/event-stream; charset=utf-8' };
const bytes = (text: string) => new TextEncoder().encode(text);
/** A stream that sends these chunks and ends. */
const ended = (...chunks: string[]) => new Response(ReadableStream.from(chunks.map(bytes)), { headers: HEADERS });
/** A stream that sends these chunks, and whose connection is then cut. */
function cut(...chunks: string[]): Response {
  const rest = [...chunks];
  const pull = (controller: ReadableStreamDefaultController) => {
    const chunk = rest.shift();
    if (chunk === undefined) controller.error(new TypeError('terminated'));
    else controller.enqueue(bytes(chunk));
  };
  return new Response(new ReadableStream({ pull }, { highWaterMark: 0 }), { headers: HEADERS });
}
/** A stream that sends these chunks and then nothing. */
const open =
  (...chunks: string[]) =>
  ({ signal }: RequestInit): Response => {
    const start = (controller: ReadableStreamDefaultController) => {
      for (const chunk of chunks) controller.enqueue(bytes(chunk));
      signal?.addEventListener('abort', () => controller.error(signal.reason));
    };
    return new Response(new ReadableStream({ start }), { headers: HEADERS });
  };
const failed = (status: number, code: string, headers: Record<string, string> = {}) =>
  Response.json(problemBody(status, code), { status, headers });

type Scripted = Response | Error | ((init: RequestInit) => Response | Promise<Response>);

/** A client whose requests are answered in order. */
function script(...answers: Scripted[]) {
  const requests: { url: string; init: RequestInit; at: number }[] = [];
  const fetch = async (url: unknown, init: RequestInit = {}) => {
    requests.push({ url: String(url), init, at: Date.now() });
    const answer = answers.shift() ?? expect.fail('too many requests');
    if (answer instanceof Error) throw answer;
    return typeof answer === 'function' ? answer(init) : answer;
  };
  const kith = createClient({ baseUrl: 'http://kith.example', fetch });
  return { kith, requests, urls: () => requests.map(({ url }) => url.replace(URL_BASE, '')) };
}

/** The ids of the first items, before which no time passes but that of timers. */
async function take(...args: Parameters<typeof start>): Promise<string[]> {
  let isSettled = false;
  const taken = start(...args).finally(() => {
    isSettled = true;
  });
  // Handled below.
  taken.catch(() => undefined);
  while (!isSettled) await vi.advanceTimersToNextTimerAsync();
  return taken;
}

async function start(
  { kith }: ReturnType<typeof script>,
  count: number,
  filter?: EventFilter,
  options?: EventOptions,
): Promise<string[]> {
  const ids: string[] = [];
  if (count > 0) for await (const { id } of kith.events(filter, options)) if (ids.push(id) === count) break;
  return ids;
}

async function errorOf(promise: Promise<unknown>): Promise<KithError> {
  const error = await promise.catch((reason: unknown) => reason);
  return error instanceof KithError ? error : expect.fail(`not a KithError: ${error}`);
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('the request of a stream', () => {
  it('has all filters, in a URL', async () => {
    const client = script(ended(progress('p'), event('a', place(1))));
    const filter: EventFilter = {
      account: ['ada.eth', '0x00000000000000000000000000000000000000a1'],
      role: 'target',
      type: ['tag', 'untag'],
      tag: 'top8',
      lists: 'all',
      finality: 'finalized',
      include: 'ens',
      since: '0',
    };
    expect(await take(client, 1, filter)).toEqual(['a']);
    const [{ url, init } = expect.fail()] = client.requests;
    expect(Object.fromEntries(new URL(url).searchParams)).toEqual({
      ...filter,
      account: String(filter.account),
      type: 'tag,untag',
    });
    expect(init).toMatchObject({ headers: { accept: 'text/event-stream' } });
    expect(init.method).toBe(undefined);
  });

  it('has more than 100 accounts in a body, also when it is sent again', async () => {
    const client = script(cut(progress('p')), ended(event('a', place(1))));
    const account = Array.from({ length: 101 }, (_, i) => `0x${i.toString(16).padStart(40, '0')}`);
    expect(await take(client, 1, { account, type: 'follow' })).toEqual(['a']);
    expect(client.urls()).toEqual(['?type=follow', '?type=follow&since=p']);
    for (const { init } of client.requests) {
      expect(init).toMatchObject({ method: 'POST', headers: { 'content-type': 'application/json' } });
      expect(JSON.parse(String(init.body))).toEqual({ accounts: account });
    }
  });

  it('does not mean all accounts if the list of accounts is empty', async () => {
    const client = script(failed(400, 'invalid-parameter'));
    await errorOf(take(client, 1, { account: [] }));
    expect(client.urls()).toEqual(['?account=']);
  });
});

describe('the items of a stream', () => {
  it('are events and undos, however the bytes are cut into chunks', async () => {
    const text = progress('p') + event('a', { ...place(1), name: 'ü' }) + undo('b', 0) + event('c', place(1, 'b'));
    const chunks = Array.from(bytes(text), (byte) => Uint8Array.of(byte));
    const { kith } = script(new Response(ReadableStream.from(chunks), { headers: HEADERS }));
    const items: StreamEvent[] = [];
    for await (const item of kith.events()) if (items.push(item) === 3) break;
    expect(items).toEqual([
      { id: 'a', type: 'follow', ...place(1), name: 'ü' },
      { id: 'b', type: 'undo', chain_id: 10, block: 0, block_hash: '0x' },
      { id: 'c', type: 'follow', ...place(1, 'b') },
    ]);
  });

  it('include progress if it is asked for', async () => {
    const text = progress('p') + event('a', place(1)) + progress('q');
    expect(await take(script(ended(text)), 3, {}, { progress: true })).toEqual(['p', 'a', 'q']);
  });

  it('are not handed on twice, unless an undo came in between', async () => {
    const client = script(
      cut(event('a', place(1)) + event('b', place(2)) + event('b2', { ...place(2), chain_id: 1 })),
      ended(event('a', place(1)), event('b', place(2)), undo('u', 1), event('a', place(1)), event('c', place(2))),
      ended(event('b2', { ...place(2), chain_id: 1 }), event('d', place(3))),
    );
    expect(await take(client, 6)).toEqual(['a', 'b', 'b2', 'u', 'c', 'd']);
  });
});

describe('a stream that was interrupted', () => {
  it('is opened again after its last position, be it an event, an undo or progress', async () => {
    const client = script(
      cut(),
      cut(progress('p')),
      ended(progress('p') + event('a', place(1)) + retry(0)),
      new TypeError('connection refused'),
      failed(502, 'bad gateway'),
      cut(undo('u', 0), 'id: half\nevent: follow\nda'),
      ended(progress('u'), event('b', place(2))),
    );
    expect(await take(client, 3, { since: '0' })).toEqual(['a', 'u', 'b']);
    expect(client.urls()).toEqual([
      ...['?since=0', '?since=0', '?since=p', '?since=a', '?since=a', '?since=a'],
      '?since=u',
    ]);
  });

  it.each([
    ['Retry-After of a 429', () => failed(429, 'too-many-streams', { 'retry-after': '7' }), 7_000],
    ['Retry-After of a 503', () => failed(503, 'overloaded', { 'retry-after': '90' }), 90_000],
    ['the retry of a stream that ends', () => ended(progress('p') + retry(4_000)), 4_000],
    ['the retry before a problem', () => ended(retry(5_000) + problem(503, 'unavailable')), 5_000],
  ])('waits as %s says, and some random time', async (_, answer, ms) => {
    vi.mocked(Math.random).mockReturnValue(0.5);
    const client = script(answer(), ended(event('a', place(1))));
    const taken = start(client, 1);
    await vi.advanceTimersByTimeAsync(ms + 249);
    expect(client.requests).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await taken).toEqual(['a']);
  });

  it('waits longer after each failure, half a minute at most, and starts anew after a success', async () => {
    vi.mocked(Math.random).mockReturnValue(1);
    const failures = Array.from({ length: 8 }, () => failed(500, 'internal'));
    const client = script(...failures, cut(progress('p'), event('a', place(1))), ended(event('b', place(2))));
    const taken = start(client, 2);
    await vi.advanceTimersByTimeAsync(300_000);
    expect(await taken).toEqual(['a', 'b']);
    const times = client.requests.map(({ at }) => at);
    expect(times.slice(1).map((at, i) => (at - (times[i] ?? 0)) / 1000)).toEqual([
      ...[0.5, 1, 2, 4, 8, 16, 30, 30],
      0.5,
    ]);
  });

  it('tells its caller about each failure', async () => {
    const client = script(failed(503, 'overloaded'), cut(progress('p')), ended(event('a', place(1))));
    const failures: KithError[] = [];
    await take(client, 1, {}, { onRetry: (error) => failures.push(error) });
    expect(failures).toMatchObject([
      { status: 503, code: 'overloaded', url: URL_BASE },
      { status: 0, code: 'network', url: URL_BASE, cause: expect.any(TypeError) },
    ]);
  });

  it('is closed if nothing has arrived for 45 seconds, and opened again', async () => {
    const client = script(open(progress('p')), ended(event('a', place(1))));
    const failures: KithError[] = [];
    const taken = start(client, 1, {}, { onRetry: (error) => failures.push(error) });
    await vi.advanceTimersByTimeAsync(44_999);
    expect(client.urls()).toEqual(['']);
    await vi.advanceTimersByTimeAsync(2);
    expect(await taken).toEqual(['a']);
    expect(client.urls()).toEqual(['', '?since=p']);
    expect(failures[0]?.cause).toMatchObject({ message: 'nothing has arrived for 45 seconds' });
  });

  it('goes on after a reader was too slow', async () => {
    const client = script(ended(event('a', place(1)), problem(408, 'slow-reader')), ended(event('b', place(2))));
    expect(await take(client, 2)).toEqual(['a', 'b']);
    expect(client.urls()).toEqual(['', '?since=a']);
  });
});

describe('a failure that a retry does not mend', () => {
  it.each([
    ['an invalid parameter', 400, 'invalid-parameter', () => failed(400, 'invalid-parameter')],
    ['an unknown name', 404, 'unknown-name', () => failed(404, 'unknown-name')],
    ['a page instead of a stream', 200, 'unexpected-answer', () => new Response('<html>')],
    ['an answer of another format', 200, 'unexpected-answer', () => Response.json({ events: [] })],
  ])('is thrown: %s', async (_, status, code, answer) => {
    const client = script(cut(progress('p')), answer());
    expect(await errorOf(take(client, 1))).toMatchObject({ status, code, url: `${URL_BASE}?since=p` });
  });

  it('is a position that is not indexed, after two retries', async () => {
    const ahead = () => ended(retry(5_000) + problem(409, 'position-not-indexed'));
    const client = script(ahead(), ahead(), cut(progress('p')), ahead(), failed(409, 'position-not-indexed'), ahead());
    const error = await errorOf(take(client, 1, { since: 'x' }));
    expect(error).toMatchObject({ status: 409, code: 'position-not-indexed', detail: 'it is position-not-indexed' });
    expect(client.urls()).toEqual([...Array(3).fill('?since=x'), ...Array(3).fill('?since=p')]);
  });
});

describe('the iterator', () => {
  it('ends when a stream until now is complete, and not before', async () => {
    const client = script(
      ended(progress('p') + retry(0)),
      ended(progress('p') + event('a', place(1))),
      cut(progress('b')),
      ended(progress('b')),
    );
    expect(await take(client, 9, { since: '0', until: 'now' })).toEqual(['a']);
    expect(client.urls().map((url) => new URLSearchParams(url).get('since'))).toEqual(['0', 'p', 'a', 'b']);
  });

  it('ends with the stream, and throws when it breaks off, if it must not connect again', async () => {
    const once = { reconnect: false };
    const client = script(ended(progress('p') + event('a', place(1)) + retry(0)), cut(event('b', place(2))));
    expect(await take(client, 9, {}, once)).toEqual(['a']);
    expect(await errorOf(take(client, 9, {}, once))).toMatchObject({ code: 'network' });
    expect(client.requests).toHaveLength(2);
  });

  it('closes the connection at a break', async () => {
    const client = script(open(event('a', place(1))));
    await take(client, 1);
    expect(client.requests[0]?.init.signal?.aborted).toBe(true);
  });

  it.each([
    ['before it is opened', [], 0],
    ['while a connection is opened', [() => new Promise<Response>(() => undefined)], 1],
    ['while it waits for an event', [open(progress('p'))], 1],
    ['while it waits for the next connection', [failed(503, 'overloaded', { 'retry-after': '20' })], 1],
  ])('ends without an error when it is aborted %s', async (_, answers: Scripted[], count) => {
    const controller = new AbortController();
    const hanging = answers.map((answer) =>
      typeof answer === 'function'
        ? async (init: RequestInit) => {
            const aborted = new Promise<never>((_resolve, reject) => {
              init.signal?.addEventListener('abort', () => reject(init.signal?.reason));
            });
            return Promise.race([answer(init), aborted]);
          }
        : answer,
    );
    const client = script(...hanging);
    if (count === 0) controller.abort();
    const taken = start(client, 1, {}, { signal: controller.signal });
    await vi.advanceTimersByTimeAsync(10);
    controller.abort();
    expect(await taken).toEqual([]);
    expect(client.requests).toHaveLength(count);
  });

  it('hands on nothing that has arrived before an abort', async () => {
    const controller = new AbortController();
    const { kith } = script(open(event('a', place(1)) + event('b', place(2))));
    const ids: string[] = [];
    for await (const { id } of kith.events({}, { signal: controller.signal })) {
      ids.push(id);
      controller.abort();
    }
    expect(ids).toEqual(['a']);
  });
});
