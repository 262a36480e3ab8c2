import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createClient, KithError, type Params } from '../../packages/client/src/client.ts';
import { freePort } from '../support/free-port.ts';

const STATS = { stats: { address_count: '1', list_count: '2', list_op_count: '3', user_count: '4' } };

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A server that answers its requests with the handlers in order, and the last one from then on. */
async function serve(...handlers: Handler[]): Promise<{ baseUrl: string; requests: string[] }> {
  const requests: string[] = [];
  const server = http.createServer((request, response) => {
    const handler = handlers[Math.min(requests.length, handlers.length - 1)];
    requests.push(`${request.method} ${request.url}`);
    handler?.(request, response);
  });
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port));
  });
  closers.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return { baseUrl: `http://127.0.0.1:${port}`, requests };
}

const answer: Handler = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(STATS));
};
const fail =
  (status: number, code: string, headers: Record<string, string> = {}): Handler =>
  (_, response) => {
    const problem = { type: `urn:kith:problem:${code}`, title: code, status, detail: `it is ${code}`, code };
    response.writeHead(status, { 'content-type': 'application/problem+json', ...headers }).end(JSON.stringify(problem));
  };
/** A page of entries with numbers as names. */
const pageOf =
  (count: number, headers: Record<string, string> = {}): Handler =>
  (_, response) => {
    const latestFollows = Array.from({ length: count }, (_one, i) => ({ name: `${i}` }));
    response.writeHead(200, headers).end(JSON.stringify({ latestFollows }));
  };
const nextLink = (cursor: string) => ({ link: `<?cursor=${cursor}>; rel="next"` });
const retryAfter = (seconds: string) => ({ 'retry-after': seconds });

async function errorOf(promise: Promise<unknown>): Promise<KithError> {
  const error = await promise.catch((reason: unknown) => reason);
  return error instanceof KithError ? error : expect.fail(`not a KithError: ${error}`);
}

describe('urlOf', () => {
  const kith = createClient({ baseUrl: 'https://efp.example.org/kith/' });

  it('puts parameters into the path and the query, and leaves out undefined ones', () => {
    const params = {
      addressOrENS: 'ada.eth',
      limit: 5,
      sort: 'latest',
      tags: 'top8,friend',
      include: undefined,
    } as const;
    expect(kith.urlOf('/users/{addressOrENS}/followers', params)).toBe(
      'https://efp.example.org/kith/api/v1/users/ada.eth/followers?limit=5&sort=latest&tags=top8,friend',
    );
  });

  it('fills in both accounts of a pair', () => {
    const params = { addressOrENS2: 'bob.eth', addressOrENS: 'ada.eth' };
    expect(kith.urlOf('/users/{addressOrENS}/{addressOrENS2}/followerState', params)).toBe(
      'https://efp.example.org/kith/api/v1/users/ada.eth/bob.eth/followerState',
    );
  });

  it('encodes characters that separate parts of a URL', () => {
    expect(kith.urlOf('/users/{addressOrENS}/ens', { addressOrENS: 'a/b?c.eth' })).toMatch(
      /\/users\/a%2Fb%3Fc\.eth\/ens$/,
    );
    expect(kith.urlOf('/leaderboard/search', { term: 'a&limit=1#é' })).toMatch(/\?term=a%26limit%3D1%23%C3%A9$/);
  });

  it('has /status outside of /api/v1, and is relative to the page without a base URL', () => {
    expect(kith.urlOf('/status')).toBe('https://efp.example.org/kith/status');
    expect(createClient({ baseUrl: '' }).urlOf('/stats')).toBe('/api/v1/stats');
  });
});

describe('a request', () => {
  it('uses the global fetch of the moment', async () => {
    const { baseUrl } = await serve(answer);
    const kith = createClient({ baseUrl: 'http://replaced.example' });
    const { fetch } = globalThis;
    vi.stubGlobal('fetch', (url: string, init: RequestInit) =>
      fetch(url.replace('http://replaced.example', baseUrl), init),
    );
    expect(await kith.get('/stats')).toEqual(STATS);
  });

  it('rejects with the problem of the service', async () => {
    const { baseUrl, requests } = await serve(fail(404, 'unknown-list'));
    const error = await errorOf(createClient({ baseUrl }).get('/lists/{token_id}/stats', { token_id: '9' }));
    expect(error).toMatchObject({ status: 404, code: 'unknown-list', detail: 'it is unknown-list', retryAfter: null });
    expect(error.message).toBe(`it is unknown-list (${baseUrl}/api/v1/lists/9/stats)`);
    expect(requests).toEqual(['GET /api/v1/lists/9/stats']);
  });

  it.each([
    ['an error page of a proxy', 502, '<html>Bad gateway</html>'],
    ['an error with another JSON body', 500, '{"message":"no"}'],
    ['a page instead of JSON', 200, '<html>Log in</html>'],
  ])('rejects %s as an unexpected answer', async (_, status, body) => {
    const { baseUrl } = await serve((_request, response) => response.writeHead(status).end(body));
    expect(await errorOf(createClient({ baseUrl }).get('/stats'))).toMatchObject({ status, code: 'unexpected-answer' });
  });

  it('rejects with the URL and the cause if nothing listens', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const error = await errorOf(createClient({ baseUrl: url }).get('/stats'));
    expect(error).toMatchObject({ status: 0, code: 'network', url: `${url}/api/v1/stats`, retryAfter: null });
    expect(error.cause).toBeInstanceOf(TypeError);
  });

  it('rejects an answer that is cut off', async () => {
    const { baseUrl } = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{"stats":');
      response.destroy();
    });
    expect(await errorOf(createClient({ baseUrl }).get('/stats'))).toMatchObject({ code: 'network' });
  });

  it('rejects with the reason of an abort while the answer is awaited', async () => {
    const controller = new AbortController();
    const reason = new Error('the page was left');
    const { baseUrl } = await serve(() => controller.abort(reason));
    const { signal } = controller;
    await expect(createClient({ baseUrl }).get('/stats', {}, { signal })).rejects.toBe(reason);
  });

  it('is not sent if it was aborted before', async () => {
    const { baseUrl, requests } = await serve(answer);
    const reason = new Error('too late');
    const signal = AbortSignal.abort(reason);
    await expect(createClient({ baseUrl }).get('/stats', {}, { signal })).rejects.toBe(reason);
    expect(requests).toEqual([]);
  });
});

describe('a retry', () => {
  it.each([
    [429, 'rate-limited'],
    [503, 'overloaded'],
  ])('follows %i with Retry-After', async (status, code) => {
    const { baseUrl, requests } = await serve(fail(status, code, retryAfter('0')), answer);
    expect(await createClient({ baseUrl }).get('/stats')).toEqual(STATS);
    expect(requests).toEqual(['GET /api/v1/stats', 'GET /api/v1/stats']);
  });

  it('sends the body of a batch again', async () => {
    const bodies: string[] = [];
    const read =
      (next: Handler): Handler =>
      async (request, response) => {
        bodies.push((await request.toArray()).join(''));
        next(request, response);
      };
    const { baseUrl } = await serve(read(fail(503, 'overloaded', retryAfter('0'))), read(answer));
    await createClient({ baseUrl }).post('/lists/{token_id}/buttonStateBatch', { token_id: '3' }, ['ada.eth', null]);
    expect(bodies).toEqual(['["ada.eth",null]', '["ada.eth",null]']);
  });

  it('happens twice by default, then the request rejects with the last problem', async () => {
    const { baseUrl, requests } = await serve(fail(503, 'overloaded', retryAfter('0')));
    const error = await errorOf(createClient({ baseUrl }).get('/stats'));
    expect(error).toMatchObject({ status: 503, code: 'overloaded', retryAfter: 0 });
    expect(requests).toHaveLength(3);
  });

  it.each([0, Number.NaN])('does not happen with retries of %d', async (retries) => {
    const { baseUrl, requests } = await serve(fail(429, 'rate-limited', retryAfter('0')));
    expect(await errorOf(createClient({ baseUrl, retries }).get('/stats'))).toMatchObject({ status: 429 });
    expect(requests).toHaveLength(1);
  });

  it.each([
    ['Retry-After is above 60 seconds', fail(429, 'rate-limited', retryAfter('61')), 61],
    ['there is no Retry-After', fail(503, 'unavailable'), null],
    ['Retry-After is malformed', fail(503, 'unavailable', retryAfter('1.5')), null],
    ['the status is another', fail(500, 'internal', retryAfter('0')), 0],
  ])('does not happen if %s', async (_, handler, seconds) => {
    const { baseUrl, requests } = await serve(handler);
    expect(await errorOf(createClient({ baseUrl }).get('/stats'))).toMatchObject({ retryAfter: seconds });
    expect(requests).toHaveLength(1);
  });

  it('does not happen if Retry-After is above maxRetryAfter', async () => {
    const { baseUrl, requests } = await serve(fail(429, 'rate-limited', retryAfter('1')));
    const client = createClient({ baseUrl, maxRetryAfter: 0 });
    expect(await errorOf(client.get('/stats'))).toMatchObject({ retryAfter: 1 });
    expect(requests).toHaveLength(1);
  });

  it.each([
    ['as many seconds as Retry-After says', '3'],
    ['until the date that Retry-After says', 'Fri, 02 Jan 2026 00:00:03 GMT'],
  ])('waits %s', async (_, value) => {
    vi.useFakeTimers({ now: Date.UTC(2026, 0, 2) });
    const responses = [new Response('', { status: 503, headers: retryAfter(value) }), Response.json(STATS)];
    const fetch = vi.fn(async () => responses.shift() ?? expect.fail('too many requests'));
    const answered = createClient({ baseUrl: 'http://kith.example', fetch }).get('/stats');
    await vi.advanceTimersByTimeAsync(2_999);
    expect(fetch).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await answered).toEqual(STATS);
    expect(fetch).toHaveBeenCalledTimes(2);
  });

  it('ends with the reason of an abort during the wait, and leaves no timer', async () => {
    vi.useFakeTimers();
    const fetch = async () => new Response('', { status: 503, headers: retryAfter('10') });
    const controller = new AbortController();
    const { signal } = controller;
    const answered = createClient({ baseUrl: 'http://kith.example', fetch }).get('/stats', {}, { signal });
    const reason = new Error('the page was left');
    const rejected = expect(answered).rejects.toBe(reason);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(vi.getTimerCount()).toBe(1);
    controller.abort(reason);
    await rejected;
    expect(vi.getTimerCount()).toBe(0);
  });

  it('does not wait if the request was aborted while its answer arrived', async () => {
    const controller = new AbortController();
    const reason = new Error('the page was left');
    const fetch = async () => {
      controller.abort(reason);
      return new Response('', { status: 503, headers: retryAfter('10') });
    };
    const { signal } = controller;
    const answered = createClient({ baseUrl: 'http://kith.example', fetch }).get('/stats', {}, { signal });
    await expect(answered).rejects.toBe(reason);
  });

  it('happens within an iteration, which ends at the first error', async () => {
    const retried = fail(503, 'overloaded', retryAfter('0'));
    const { baseUrl, requests } = await serve(pageOf(2), retried, pageOf(2), fail(500, 'internal'));
    const names: string[] = [];
    const iterate = async () => {
      const entries = createClient({ baseUrl }).entries('/discover', { limit: 2 });
      for await (const { name } of entries) names.push(name);
    };
    expect(await errorOf(iterate())).toMatchObject({ code: 'internal' });
    expect(names).toEqual(['0', '1', '0', '1']);
    expect(
      requests.map((request) => new URL(request.slice('GET '.length), baseUrl).searchParams.get('offset')),
    ).toEqual(['0', '2', '2', '4']);
  });
});

describe('an iteration over pages', () => {
  const iterate = async (params: Params<'/discover'>, ...pages: Handler[]) => {
    const { baseUrl, requests } = await serve(...pages);
    let entries = 0;
    for await (const _ of createClient({ baseUrl }).entries('/discover', params)) entries += 1;
    return { entries, requests: requests.map((request) => request.replace('GET /api/v1/discover', '')) };
  };

  it('continues with the cursor of each page, and ends with the page that has none', async () => {
    const pages = [pageOf(2, { link: '<?limit=2&cursor=a-b_c>; rel="next"' }), pageOf(2, nextLink('d')), pageOf(2)];
    expect(await iterate({ limit: 2 }, ...pages)).toEqual({
      entries: 6,
      requests: ['?limit=2&offset=0', '?limit=2&cursor=a-b_c', '?limit=2&cursor=d'],
    });
  });

  it('gets one page with the cursor of the next, which the last page does not have', async () => {
    const { baseUrl, requests } = await serve(pageOf(2, nextLink('a')), pageOf(1));
    const kith = createClient({ baseUrl });
    const first = await kith.page('/discover', { limit: 2 });
    expect(first).toEqual({ answer: { latestFollows: [expect.anything(), expect.anything()] }, next: 'a' });
    const last = await kith.page('/discover', { limit: 2, cursor: first.next });
    expect(last.next).toBeUndefined();
    expect(requests).toEqual(['GET /api/v1/discover?limit=2', 'GET /api/v1/discover?limit=2&cursor=a']);
  });

  it('continues after a page that is not full, if it has a cursor', async () => {
    const { entries, requests } = await iterate(
      { limit: 3 },
      pageOf(1, nextLink('a')),
      pageOf(0, nextLink('b')),
      pageOf(2),
    );
    expect({ entries, pages: requests.length }).toEqual({ entries: 3, pages: 3 });
  });

  it('keeps the other parameters, and replaces an offset by the cursor', async () => {
    const { requests } = await iterate({ offset: 7, cache: 'fresh' }, pageOf(100, nextLink('a')), pageOf(1));
    expect(requests).toEqual(['?offset=7&cache=fresh&limit=100', '?cache=fresh&limit=100&cursor=a']);
  });

  it('begins with a cursor that it is given', async () => {
    expect(await iterate({ limit: 2, cursor: 'a' }, pageOf(2, nextLink('b')), pageOf(2))).toEqual({
      entries: 4,
      requests: ['?limit=2&cursor=a', '?limit=2&cursor=b'],
    });
  });

  it('continues by offset without Link headers, up to a page that is not full', async () => {
    expect(await iterate({ limit: 2, offset: 1 }, pageOf(2), pageOf(2), pageOf(1))).toEqual({
      entries: 5,
      requests: ['?limit=2&offset=1', '?limit=2&offset=3', '?limit=2&offset=5'],
    });
  });

  it.each([
    ['among others', '</old>; rel="deprecation", <?tags=a,b&cursor=x>; title="more"; rel="next", </>; rel="up"'],
    ['without quotes', '<?cursor=x>;rel=next'],
    [
      'with another host and path, to the service nevertheless',
      '<https://other.example/a?cursor=x&limit=2>; rel="next"',
    ],
    ['with an encoded cursor', '<?cursor=%78>; rel="next"'],
  ])('reads a link %s', async (_, link) => {
    const { requests } = await iterate({ limit: 2 }, pageOf(2, { link }), pageOf(2));
    expect(requests).toEqual(['?limit=2&offset=0', '?limit=2&cursor=x']);
  });

  it.each(['</docs?cursor=x>; rel="deprecation"', '<?page=2>; rel="next"', '; rel="next"', '<?cursor=x>'])(
    'ignores the link %s',
    async (link) => {
      const { requests } = await iterate({ limit: 2 }, pageOf(2, { link }), pageOf(0));
      expect(requests).toEqual(['?limit=2&offset=0', '?limit=2&offset=2']);
    },
  );
});
