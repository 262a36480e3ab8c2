import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { RemoteError, type RemoteFault } from '../../src/remote/remote-error.ts';
import { createEndpoint, type Endpoint } from '../../src/rpc/endpoint.ts';
import { type EvmNode, startNode } from '../indexer/evm-node.ts';
import {
  FAULTS,
  type Fault,
  faultTimes,
  noFaults,
  type ProviderProxy,
  SECRETS,
  startProxy,
} from '../indexer/provider-proxy.ts';

const CHAIN = { method: 'eth_chainId', params: [] };
const HEIGHT = { method: 'eth_blockNumber', params: [] };
/** Long enough for responses on a busy machine; `TIMEOUT_MS` is for responses that never arrive. */
const LONG_TIMEOUT_MS = 30_000;
const TIMEOUT_MS = 300;

/** The error that a promise rejects with. */
async function faultOf(failing: Promise<unknown>): Promise<RemoteError> {
  const error = await failing.then(
    () => new Error('did not reject'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof RemoteError)) throw error;
  return error;
}

describe('Endpoint with a faulty provider', () => {
  let node: EvmNode;
  let proxy: ProviderProxy;
  let endpoint: Endpoint;
  const endpointWith = (fault: Fault, times: number) => {
    proxy.script = faultTimes(times, fault);
    const timeoutMs = FAULTS[fault] === 'timeout' ? TIMEOUT_MS : LONG_TIMEOUT_MS;
    return createEndpoint({ url: proxy.url, fetch, timeoutMs });
  };

  beforeAll(async () => {
    node = await startNode(8453);
    proxy = await startProxy(node.url);
    endpoint = createEndpoint({ url: proxy.url, fetch, timeoutMs: LONG_TIMEOUT_MS });
  });
  beforeEach(() => {
    proxy.script = noFaults;
  });
  afterAll(async () => {
    await proxy.stop();
    await node.stop();
  });

  it('sends a single call and a batch', async () => {
    expect(await endpoint.send(CHAIN)).toBe('0x2105');
    expect(await endpoint.sendBatch([CHAIN, HEIGHT])).toEqual([{ result: '0x2105' }, { result: '0x0' }]);
  });

  const faults: [Fault, RemoteFault][] = [
    ['rate limit', { kind: 'http', status: 429, retryAfterMs: 1_000 }],
    ['internal error', { kind: 'http', status: 500, retryAfterMs: null }],
    ['overload', { kind: 'http', status: 503, retryAfterMs: null }],
    ['silence', { kind: 'timeout' }],
    ['silence in the middle of the body', { kind: 'timeout' }],
    ['dropped connection', { kind: 'unreachable', message: 'UND_ERR_SOCKET' }],
    ['connection dropped in the middle of the body', { kind: 'unreachable', message: 'UND_ERR_SOCKET' }],
    ['truncated JSON', { kind: 'malformed', message: expect.stringMatching(/not JSON/) }],
    ['HTML page', { kind: 'malformed', message: expect.stringMatching(/not JSON/) }],
    ['error', { kind: 'refused', code: -32000, message: expect.stringMatching(/has no right/) }],
    ['error with status 400', { kind: 'refused', code: -32000, message: expect.stringMatching(/has no right/) }],
    ['wrong id', { kind: 'malformed', message: expect.stringMatching(/got id 10\d\d, expected \d+/) }],
  ];
  it.each(faults)('reports the fault of a single call: %s', async (fault, expected) => {
    const error = await faultOf(endpointWith(fault, 1).send(CHAIN));
    expect(error.fault).toEqual(expected);
    expect(error.message).toContain(`${proxy.host}: eth_chainId: `);
    expect(await endpoint.send(CHAIN)).toBe('0x2105');
  });

  it.each(faults)('reports the fault of a batch: %s', async (fault, expected) => {
    const first = endpointWith(fault, 1)
      .sendBatch([CHAIN, HEIGHT])
      .then(([reply]) => {
        throw reply !== undefined && 'error' in reply ? reply.error : new Error('did not reject');
      });
    // Malformed responses to a batch have other messages.
    const { kind } = expected;
    expect((await faultOf(first)).fault).toEqual(kind === 'malformed' ? expect.objectContaining({ kind }) : expected);
  });

  it.each([
    ['error inside a batch', 'refused'],
    ['answer missing in a batch', 'malformed'],
    ['wrong id in a batch', 'malformed'],
  ] as const)('keeps the other responses of a batch with this fault: %s', async (fault, kind) => {
    const [first, second] = await endpointWith(fault, 1).sendBatch([CHAIN, HEIGHT]);
    expect(first).toMatchObject({ error: { fault: { kind } } });
    expect(second).toEqual({ result: '0x0' });
  });

  it.each(faults)('exposes no part of the URL but the host with this fault: %s', async (fault) => {
    const faulty = endpointWith(fault, 2);
    const error = await faultOf(faulty.send(CHAIN));
    const batch = await faulty.sendBatch([CHAIN]).catch((failure) => failure);
    const shown = [error, batch].map((value) => `${value} ${value?.stack} ${JSON.stringify(value)}`).join();
    for (const secret of SECRETS) expect(shown).not.toContain(secret);
  });

  it.each([301, 302, 303, 307, 308])('does not follow a redirect with status %i', async (status) => {
    const redirecting = createServer((_request, response) => response.writeHead(status, { location: proxy.url }).end());
    await new Promise<void>((resolve) => redirecting.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(redirecting.address() as AddressInfo).port}`;
    const { fault } = await faultOf(createEndpoint({ url, fetch, timeoutMs: LONG_TIMEOUT_MS }).send(CHAIN));
    expect(fault).toEqual({ kind: 'http', status, retryAfterMs: null });
    await new Promise((resolve) => redirecting.close(resolve));
  });

  it('reports a refused connection as unreachable', async () => {
    const gone = await startProxy(node.url);
    await gone.stop();
    const { fault } = await faultOf(createEndpoint({ url: gone.url, fetch, timeoutMs: TIMEOUT_MS }).send(CHAIN));
    expect(fault).toEqual({ kind: 'unreachable', message: 'ECONNREFUSED' });
  });
});

/** An endpoint that always gets this response; `$id` is replaced by the id of the request. */
function endpointOf(text: string, init: ResponseInit = {}): Endpoint {
  const fakeFetch: typeof fetch = async (_url, request) => {
    const sent = JSON.parse(String(request?.body));
    return new Response(text.replaceAll('$id', String(sent.id ?? sent[0].id)), init);
  };
  return createEndpoint({ url: 'https://user:word@node.example/key', fetch: fakeFetch, timeoutMs: TIMEOUT_MS });
}

describe('the length of an answer', () => {
  const of = (characters: number) => `{"jsonrpc":"2.0","id":$id,"result":"0x${'ab'.repeat(characters / 2)}"}`;

  it.each([
    ['eth_getBlockByNumber', 2 ** 19],
    ['eth_chainId', 2 ** 19],
    ['eth_call', 2 ** 20],
  ])('is limited for %s, and a longer one is a fault', async (method, maxBytes) => {
    const { fault } = await faultOf(endpointOf(of(maxBytes)).send({ method, params: [] }));
    expect(fault).toEqual({ kind: 'oversized', maxBytes });
  });

  it('may be larger for eth_getLogs', async () => {
    expect(await endpointOf(of(2 ** 20)).send({ method: 'eth_getLogs', params: [] })).toHaveLength(2 + 2 ** 20);
  });
});

describe('Endpoint', () => {
  it.each([
    ['7', 7_000],
    [' 7 ', 7_000],
    ['0', 0],
    ['Fri, 31 Dec 1999 23:59:59 GMT', null],
    ['-1', null],
    ['1.5', null],
    ['', null],
    ['99999999999', null],
  ])('parses the header Retry-After: %j', async (header, retryAfterMs) => {
    const limited = endpointOf('', { status: 429, headers: { 'retry-after': header } });
    expect((await faultOf(limited.send(CHAIN))).fault).toEqual({ kind: 'http', status: 429, retryAfterMs });
  });

  it.each([
    '7',
    'null',
    '"text"',
    '[]',
    '{}',
    '{"id":null,"result":"0x1"}',
    '{"id":"$id","result":"0x1"}',
    '{"id":$id}',
    '{"id":$id,"error":null}',
  ])('rejects the response %s as malformed', async (text) => {
    expect((await faultOf(endpointOf(text).send(CHAIN))).fault.kind).toBe('malformed');
    const [reply] = await endpointOf(text).sendBatch([CHAIN]);
    expect(reply).toMatchObject({ error: { fault: { kind: 'malformed' } } });
  });

  it('accepts null as a result, and ignores an error of null', async () => {
    expect(await endpointOf('{"id":$id,"result":null}').send(CHAIN)).toBeNull();
    expect(await endpointOf('{"id":$id,"result":"0x1","error":null}').send(CHAIN)).toBe('0x1');
  });

  it('matches the responses of a batch by id, in any order', async () => {
    const swapped: typeof fetch = async (_url, request) => {
      const sent: { id: number; method: string }[] = JSON.parse(String(request?.body));
      return new Response(JSON.stringify(sent.map(({ id, method }) => ({ id, result: method })).reverse()));
    };
    const endpoint = createEndpoint({ url: 'https://node.example', fetch: swapped, timeoutMs: TIMEOUT_MS });
    expect(await endpoint.sendBatch([CHAIN, HEIGHT])).toEqual([
      { result: 'eth_chainId' },
      { result: 'eth_blockNumber' },
    ]);
  });

  it.each([
    '{"id":null,"error":{"code":-32600,"message":"too many"}}',
    '{"error":{"code":-32600,"message":"too many"}}',
  ])('applies the error %s to all calls of a request', async (text) => {
    const expected = { kind: 'refused', code: -32600, message: 'too many' };
    expect((await faultOf(endpointOf(text).send(CHAIN))).fault).toEqual(expected);
    const replies = await endpointOf(text, { status: 400 }).sendBatch([CHAIN, HEIGHT]);
    expect(replies).toMatchObject([{ error: { fault: expected } }, { error: { fault: expected } }]);
  });

  it('truncates messages of a node', async () => {
    const long = 'x'.repeat(100_000);
    const refused = await faultOf(endpointOf(`{"id":$id,"error":{"code":1,"message":"${long}"}}`).send(CHAIN));
    const odd = await faultOf(endpointOf(`{"id":"${long}","result":1}`).send(CHAIN));
    for (const { message } of [refused, odd]) expect(message.length).toBeLessThan(1_500);
  });

  it('sends the credentials of a URL as an Authorization header', async () => {
    const sent: Request[] = [];
    const recording: typeof fetch = async (url, init) => {
      sent.push(new Request(url, init));
      return new Response('{"id":1,"result":"0x1"}');
    };
    const endpoint = createEndpoint({
      url: 'https://us%40er:pa%3Ass@node.example/key',
      fetch: recording,
      timeoutMs: 100,
    });
    expect(await endpoint.send(CHAIN)).toBe('0x1');
    expect(sent[0]?.url).toBe('https://node.example/key');
    expect(sent[0]?.headers.get('authorization')).toBe(`Basic ${btoa('us@er:pa:ss')}`);
    expect(endpoint.host).toBe('node.example');
  });
});
