import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { StoreUnavailableError } from '../../src/store/store.ts';
import { fetchAnswer, type ServiceOptions } from '../support/service.ts';
import { type Demo, startDemo } from './demo.ts';

const META = 'io.modelcontextprotocol';
const VERSION = '2026-07-28';
const meta = { [`${META}/protocolVersion`]: VERSION, [`${META}/clientCapabilities`]: {} };

const post = (url: string, body: string | object, headers: Readonly<Record<string, string>> = {}) =>
  fetchAnswer(`${url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
const request = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params });
/** A request of the version without a handshake. */
const postStateless = (
  url: string,
  method: string,
  params: object = {},
  headers: Readonly<Record<string, string | undefined>> = {},
) => {
  const all = { 'mcp-protocol-version': VERSION, 'mcp-method': method, ...headers };
  const sent = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  return post(url, request(method, { _meta: meta, ...params }), sent as Record<string, string>);
};

describe('/mcp', () => {
  let demo: Demo;
  const startOwn = async (options: ServiceOptions) => {
    const own = await demo.serve(options);
    onTestFinished(() => own.close());
    return own;
  };
  let call: (name: string, given: object) => Promise<string>;
  beforeAll(async () => {
    demo = await startDemo();
    call = async (name, given) => {
      const { json } = await post(demo.url, request('tools/call', { name, arguments: given }));
      expect(json.result).toEqual({ isError: true, content: [{ type: 'text', text: expect.any(String) }] });
      return json.result.content[0].text;
    };
  });
  afterAll(() => demo.close());

  it.each([
    ['no JSON', '{', -32700],
    ['nothing', '', -32700],
    ['a number', '1', -32600],
    ['null', 'null', -32600],
    ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600],
    ['a deep array', '['.repeat(30_000) + ']'.repeat(30_000), -32600],
    ['another version of JSON-RPC', '{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600],
    ['a request with the id null', '{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600],
    ['a request with an object as id', '{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600],
    ['a response', '{"jsonrpc":"2.0","id":1,"result":{}}', -32600],
    ['an array as params', '{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', -32602],
  ])('answers %s with 400 and a JSON-RPC error', async (_, body, code) => {
    const { status, json } = await post(demo.url, body);
    expect([status, json.jsonrpc, json.error.code]).toEqual([400, '2.0', code]);
  });

  it.each([
    ['of a tool that does not exist', { name: 'constructor' }, 'unknown tool; the tools are search, who_is,'],
    ['without a name', {}, 'unknown tool'],
    ['with an array of arguments', { name: 'who_is', arguments: ['ada.eth'] }, 'arguments must be an object'],
  ])('rejects a call %s', async (_, params, message) => {
    const { status, json } = await post(demo.url, request('tools/call', params));
    expect([status, json.error.code]).toEqual([200, -32602]);
    expect(json.error.message).toContain(message);
  });

  it('answers unknown methods with an error, and notifications with 202', async () => {
    expect((await post(demo.url, request('resources/list'))).json.error.code).toBe(-32601);
    const notified = await post(demo.url, { jsonrpc: '2.0', method: 'notifications/initialized' });
    expect([notified.status, notified.text]).toEqual([202, '']);
  });

  it('offers the newest version with a handshake to a client that asks for one that is unknown', async () => {
    const offered = async (protocolVersion: unknown) =>
      (await post(demo.url, request('initialize', { protocolVersion }))).json.result.protocolVersion;
    expect(await offered('2025-03-26')).toBe('2025-03-26');
    expect(await offered('1999-01-01')).toBe('2025-11-25');
    expect(await offered({})).toBe('2025-11-25');
  });

  it.each([
    ['another version in the header', {}, { 'mcp-protocol-version': '2025-11-25' }, 400, -32020],
    ['no version in the header', {}, { 'mcp-protocol-version': undefined }, 400, -32020],
    ['another method in the header', {}, { 'mcp-method': 'tools/list' }, 400, -32020],
    ['no tool in the header', {}, {}, 400, -32020],
    ['no version in the body', { _meta: {} }, { 'mcp-name': 'graph_stats' }, 400, -32602],
    [
      'no capabilities',
      { _meta: { [`${META}/protocolVersion`]: VERSION } },
      { 'mcp-name': 'graph_stats' },
      400,
      -32602,
    ],
  ])('rejects a stateless request with %s', async (_, params, headers, status, code) => {
    const answer = await postStateless(demo.url, 'tools/call', { name: 'graph_stats', ...params }, headers);
    expect([answer.status, answer.json.error.code]).toEqual([status, code]);
  });

  it('names the versions that it speaks to a request of another one', async () => {
    const params = { _meta: { ...meta, [`${META}/protocolVersion`]: '2999-01-01' } };
    const { status, json } = await postStateless(demo.url, 'tools/list', params, {
      'mcp-protocol-version': '2999-01-01',
    });
    expect([status, json.error.code, json.error.data.supported]).toEqual([400, -32022, [VERSION]]);
    expect((await postStateless(demo.url, 'ping')).status).toBe(404);
  });

  it('takes the name of a tool in the encoded form of the header', async () => {
    const name = `=?base64?${Buffer.from('graph_stats').toString('base64')}?=`;
    const { json } = await postStateless(demo.url, 'tools/call', { name: 'graph_stats' }, { 'mcp-name': name });
    expect(json.result).toMatchObject({ resultType: 'complete', structuredContent: (await demo.get('/stats')).json });
  });

  it.each([
    ['who_is', {}, /^account must be an address .* or an ENS name .*, got ""\. Correct that/],
    ['who_is', { acount: 'ada.eth' }, /^"acount" is no argument of who_is; it takes account\./],
    ['who_is', { account: { toString: 'ada.eth' } }, /^account must be a text/],
    ['who_is', { account: ['ada.eth'] }, /^account must be a text/],
    ['who_is', { account: 'x'.repeat(10_000) }, /^account must be .{1,300}$/],
    ['who_is', { account: '../leaderboard/all' }, /^account must be an address/],
    ['who_is', { account: 'nobody.eth' }, /Call search with a part of the name/],
    ['followers', { account: 'ada.eth', limit: 51 }, /^limit must be an integer from 1 to 50/],
    ['followers', { account: 'ada.eth', limit: 1.5 }, /^limit must be a text, an integer/],
    ['followers', { account: 'ada.eth', cursor: 'x' }, /^cursor must be the cursor in `next`/],
    ['followers', { account: 'ada.eth', tags: 'a\0b' }, /^tags must be/],
    ['followers', { account: 'ada.eth', term: 'a', tags: 'top8' }, /^tags cannot be given with term/],
    ['followers', JSON.parse('{"account":"ada.eth","__proto__":1}'), /^"__proto__" is no argument/],
    ['leaderboard', { sort: 'beauty' }, /^sort must be one of /],
    ['graph_stats', { account: 'ada.eth' }, /it takes none/],
    ['list', { list: 999_999 }, /^there is no list 999999\. The primary_list of who_is/],
  ])('says what is wrong with a call of %s (%#)', async (name, given, message) => {
    expect(await call(name, given)).toMatch(message);
  });

  it('rejects bodies that are too long or of another type, and other methods', async () => {
    expect((await post(demo.url, ' '.repeat(70_000))).status).toBe(413);
    expect((await post(demo.url, '{}', { 'content-type': 'text/plain' })).status).toBe(415);
    for (const method of ['GET', 'DELETE']) {
      const { status, headers } = await fetchAnswer(`${demo.url}/mcp`, { method });
      expect([status, headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
    }
  });

  it('refuses websites of other origins', async () => {
    const own = await startOwn({ publicUrl: 'https://kith.example' });
    const statusOf = async (origin: string) => (await post(own.url, request('ping'), { origin })).status;
    expect(await statusOf('https://kith.example')).toBe(200);
    expect(await statusOf('http://localhost:6274')).toBe(200);
    for (const origin of ['https://evil.example', 'https://localhost.evil.example', 'null', 'x'])
      expect([origin, await statusOf(origin)]).toEqual([origin, 403]);
  });

  it('has the limits, the cache and the metrics of the API', async () => {
    const own = await startOwn({ limits: { rateLimit: { requests: 4, seconds: 60 } } });
    const callOwn = (given: object) => post(own.url, request('tools/call', { name: 'who_is', arguments: given }));
    expect((await callOwn({ account: 'ada.eth' })).json.result.structuredContent).toMatchObject({ name: 'ada.eth' });
    expect((await callOwn({ account: 'ada' })).json.result.isError).toBe(true);
    const { headers } = await own.get('/users/ada.eth/details?');
    expect(headers.get('x-cache')).toBe('HIT');
    const { text } = await fetchAnswer(`${own.url}/metrics`);
    expect(text).toContain('kith_mcp_calls_total{tool="who_is",outcome="ok"} 1');
    expect(text).toContain('kith_mcp_calls_total{tool="who_is",outcome="invalid-parameter"} 1');
    const limited = await callOwn({ account: 'ada.eth' });
    expect([limited.status, limited.json.code]).toEqual([429, 'rate-limited']);
  });

  it('tells a model when to call again after an outage', async () => {
    const addressOf = async () => {
      throw new StoreUnavailableError('gone');
    };
    const own = await startOwn({ sources: { names: { addressOf } as never } });
    const { json } = await post(own.url, request('tools/call', { name: 'who_is', arguments: { account: 'new.eth' } }));
    expect(json.result).toEqual({
      isError: true,
      content: [{ type: 'text', text: 'the database is unavailable, retry later. Call again after 5 seconds.' }],
    });
  });

  it('is absent if MCP is off', async () => {
    const own = await startOwn({ servesMcp: false });
    expect((await post(own.url, request('ping'))).status).toBe(404);
  });
});
