import { describe, expect, it } from 'vitest';
import { RemoteError, type RemoteFault } from '../../../src/remote/remote-error.ts';
import { type Fault, notFound, type ReceivedRequest, sendJson } from './fake-enstate.ts';
import { ada, bob, control, holderOrFault, profileOrFault, setUp } from './set-up.ts';

const setting = setUp();
const SECRETS = ['hunter22', 'app-user', 'key-in-the-path', 'key-in-the-query'];
/** A short timeout for responses that never arrive. */
const TIMEOUT_MS = 100;

const send =
  (status: number, text: string, headers: Record<string, string> = {}): Fault =>
  (response) =>
    response.writeHead(status, headers).end(text);
const malformed = (message: RegExp): RemoteFault => ({ kind: 'malformed', message: expect.stringMatching(message) });
const http = (status: number, retryAfterMs: number | null = null): RemoteFault => ({
  kind: 'http',
  status,
  retryAfterMs,
});

const page = '<html><body><h1>Bad gateway</h1></body></html>';
const FAULTS: [string, Fault, RemoteFault][] = [
  ['no response', () => undefined, { kind: 'timeout' }],
  ['a response that stops', (response) => response.writeHead(200).write('{'), { kind: 'timeout' }],
  ['a dropped connection', (response) => response.destroy(), { kind: 'unreachable', message: 'UND_ERR_SOCKET' }],
  ['an HTML page', send(502, page), http(502)],
  ['an HTML page with status 200', send(200, page), malformed(/characters of invalid JSON/)],
  ['an HTML page with status 404', send(404, page), http(404)],
  ['truncated JSON', send(200, '{"response_length":1,"response":[{"type":"succ'), malformed(/invalid JSON/)],
  ['JSON that is no object', send(200, '[]'), malformed(/expected a JSON object/)],
  ['a rate limit', send(429, 'slow down', { 'retry-after': '7' }), http(429, 7_000)],
  ['a rejected request', send(400, '{"status":400,"error":"no"}'), http(400)],
  ['an overloaded server', send(503, ''), http(503)],
  ['an oversized response', send(200, ' '.repeat(2 ** 22 + 1)), malformed(/more than 4194304 bytes/)],
];

const timeoutFor = (fault: RemoteFault) => (fault.kind === 'timeout' ? { timeoutMs: TIMEOUT_MS } : {});
const always = () => true;
const isSecond = ({ fresh }: ReceivedRequest) => fresh;
const failing = (fault: Fault, which: (received: ReceivedRequest) => boolean) => {
  setting.fake.faultOf = (received) => (which(received) ? fault : undefined);
};

describe('createEnstateSource with a faulty response', () => {
  it.each(FAULTS)('fails for all accounts of the batch: %s', async (_, fault, expected) => {
    failing(fault, always);
    const profiles = await setting.create(timeoutFor(expected)).fetchProfiles([ada, bob], { fresh: false });
    expect([...profiles].map(([account, error]) => [account, error instanceof RemoteError && error.fault])).toEqual([
      [ada, expected],
      [bob, expected],
    ]);
  });

  it.each(FAULTS)('does not confirm that an account has no name: %s', async (_, fault, expected) => {
    failing(fault, isSecond);
    expect(await profileOrFault(setting.create(timeoutFor(expected)), ada)).toEqual(expected);
  });

  it.each(FAULTS)('fails to resolve a name: %s', async (_, fault, expected) => {
    failing(fault, always);
    expect(await holderOrFault(setting.create(timeoutFor(expected)), 'ada.eth')).toEqual(expected);
  });

  it.each(FAULTS)('does not confirm that a name is unknown: %s', async (_, fault, expected) => {
    failing(fault, isSecond);
    expect(await holderOrFault(setting.create(timeoutFor(expected)), 'ada.eth')).toEqual(expected);
  });

  it.each<[string, unknown, RegExp]>([
    ['no results', {}, /^response: expected an array, got nothing/],
    ['one result too few', { response: [notFound] }, /^response: expected 2 results, got 1/],
    ['one result too many', { response: [notFound, notFound, notFound] }, /^response: expected 2 results, got 3/],
    ['results that are not objects', { response: [7, 7] }, /^expected a JSON object, got 7/],
    [
      'results of an unknown type',
      { response: [{ type: 'new' }, { type: 'new' }] },
      /^type: expected success or error/,
    ],
    ['errors without a status', { response: [{ type: 'error' }, { type: 'error' }] }, /^status: expected a number/],
  ])('fails for an account: %s', async (_, body, message) => {
    failing((response) => sendJson(response, 200, body), always);
    const profiles = await setting.source.fetchProfiles([ada, bob], { fresh: false });
    expect(profiles.get(ada)).toMatchObject({ fault: malformed(message) });
  });
});

it('createEnstateSource aborts its request on shutdown', async () => {
  const ending = new AbortController();
  failing(() => ending.abort(), always);
  const fault = await profileOrFault(setting.create({ signal: ending.signal }), ada);
  expect(fault).toEqual({ kind: 'unreachable', message: 'AbortError' });
});

it('createEnstateSource fails if the server is unreachable', async () => {
  await setting.fake.stop();
  expect(await profileOrFault(setting.source, ada)).toEqual({ kind: 'unreachable', message: 'ECONNREFUSED' });
});

describe('createEnstateSource with secrets in its URL', () => {
  const secretUrl = () =>
    `${setting.fake.url.replace('//', '//app-user:hunter22@')}/key-in-the-path/?key=key-in-the-query`;

  it('requests the path below that URL', async () => {
    setting.fake.addName('ada.eth', ada);
    const source = setting.create({ url: secretUrl() });
    await source.fetchProfiles([ada, bob], { fresh: true });
    await source.fetchHolder('🧙.ada.eth', { fresh: true }).catch(() => undefined);
    expect(setting.fake.requests.map(({ url }) => url).filter((_, index) => index !== 1)).toEqual([
      `/key-in-the-path/bulk/u?key=key-in-the-query&queries[]=${ada}&queries[]=${bob}&fresh=true`,
      '/key-in-the-path/u/%F0%9F%A7%99.ada.eth?key=key-in-the-query&fresh=true',
      '/key-in-the-path/bulk/u?key=key-in-the-query&queries[]=ada.eth&queries[]=%F0%9F%A7%99.ada.eth&fresh=true',
    ]);
  });

  it('sends the credentials as basic authentication', async () => {
    await setting.create({ url: secretUrl() }).fetchProfiles([control.account], { fresh: false });
    expect(setting.fake.requests[0]?.authorization).toBe(`Basic ${btoa('app-user:hunter22')}`);
  });

  const echo = (response: Parameters<Fault>[0]) =>
    sendJson(response, 200, { response: [{ type: secretUrl() }], name: secretUrl() });
  it.each([...FAULTS, ['its own URL', echo, malformed(/…/)] as (typeof FAULTS)[0]])(
    'shows no secret in the error after %s',
    async (_, fault, expected) => {
      failing(fault, always);
      const source = setting.create({ url: secretUrl(), ...timeoutFor(expected) });
      const profiles = await source.fetchProfiles([ada], { fresh: false });
      const thrown = await source.fetchHolder('ada.eth', { fresh: false }).catch((error) => error);
      const shown = [profiles.get(ada), thrown].map((error) => `${error} ${error?.stack} ${JSON.stringify(error)}`);
      expect(SECRETS.filter((secret) => shown.join().includes(secret))).toEqual([]);
    },
  );
});
