import { describe, expect, it } from 'vitest';
import { RemoteError, type RemoteFault } from '../../../src/remote/remote-error.ts';
import { type Asked, type Fault, notFound, sendJson } from './fake-enstate.ts';
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
const whatever: [string, Fault, RemoteFault][] = [
  ['silence', () => undefined, { kind: 'timeout' }],
  ['half an answer, then silence', (response) => response.writeHead(200).write('{'), { kind: 'timeout' }],
  ['a dropped connection', (response) => response.destroy(), { kind: 'unreachable', message: 'UND_ERR_SOCKET' }],
  ['the page of a proxy', send(502, page), http(502)],
  ['the page of a proxy that says all is well', send(200, page), malformed(/characters of invalid JSON/)],
  ['a page that says that nothing is found', send(404, page), http(404)],
  ['truncated JSON', send(200, '{"response_length":1,"response":[{"type":"succ'), malformed(/invalid JSON/)],
  ['JSON that is no object', send(200, '[]'), malformed(/expected a JSON object/)],
  ['too many requests', send(429, 'slow down', { 'retry-after': '7' }), http(429, 7_000)],
  ['a refusal', send(400, '{"status":400,"error":"no"}'), http(400)],
  ['an overload', send(503, ''), http(503)],
  ['more than anybody could need', send(200, ' '.repeat(2 ** 22 + 1)), malformed(/more than 4194304 bytes/)],
];

const patience = (fault: RemoteFault) => (fault.kind === 'timeout' ? { timeoutMs: TIMEOUT_MS } : {});
const always = () => true;
const isSecond = ({ fresh }: Asked) => fresh;
const failing = (fault: Fault, which: (asked: Asked) => boolean) => {
  setting.fake.faultOf = (asked) => (which(asked) ? fault : undefined);
};

describe('createEnstateSource with a faulty response', () => {
  it.each(whatever)('fails for all accounts of the batch: %s', async (_, fault, expected) => {
    failing(fault, always);
    const told = await setting.create(patience(expected)).fetchProfiles([ada, bob], { fresh: false });
    expect([...told].map(([account, error]) => [account, error instanceof RemoteError && error.fault])).toEqual([
      [ada, expected],
      [bob, expected],
    ]);
  });

  it.each(whatever)('does not confirm that an account has no name: %s', async (_, fault, expected) => {
    failing(fault, isSecond);
    expect(await profileOrFault(setting.create(patience(expected)), ada)).toEqual(expected);
  });

  it.each(whatever)('fails to resolve a name: %s', async (_, fault, expected) => {
    failing(fault, always);
    expect(await holderOrFault(setting.create(patience(expected)), 'ada.eth')).toEqual(expected);
  });

  it.each(whatever)('does not confirm that a name is unknown: %s', async (_, fault, expected) => {
    failing(fault, isSecond);
    expect(await holderOrFault(setting.create(patience(expected)), 'ada.eth')).toEqual(expected);
  });

  it.each<[string, unknown, RegExp]>([
    ['no answers', {}, /^response: expected an array, got nothing/],
    ['an answer too few', { response: [notFound] }, /^response: expected 2 results, got 1/],
    ['an answer too many', { response: [notFound, notFound, notFound] }, /^response: expected 2 results, got 3/],
    ['answers that are none', { response: [7, 7] }, /^expected a JSON object, got 7/],
    ['answers of another type', { response: [{ type: 'new' }, { type: 'new' }] }, /^type: expected success or error/],
    ['errors without a status', { response: [{ type: 'error' }, { type: 'error' }] }, /^status: expected a number/],
  ])('fails for an account: %s', async (_, body, message) => {
    failing((response) => sendJson(response, 200, body), always);
    const told = await setting.source.fetchProfiles([ada, bob], { fresh: false });
    expect(told.get(ada)).toMatchObject({ fault: malformed(message) });
  });
});

it('createEnstateSource aborts its request on shutdown', async () => {
  const ending = new AbortController();
  failing(() => ending.abort(), always);
  const told = await profileOrFault(setting.create({ signal: ending.signal }), ada);
  expect(told).toEqual({ kind: 'unreachable', message: 'AbortError' });
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
    expect(setting.fake.asked.map(({ url }) => url).filter((_, index) => index !== 1)).toEqual([
      `/key-in-the-path/bulk/u?key=key-in-the-query&queries[]=${ada}&queries[]=${bob}&fresh=true`,
      '/key-in-the-path/u/%F0%9F%A7%99.ada.eth?key=key-in-the-query&fresh=true',
      '/key-in-the-path/bulk/u?key=key-in-the-query&queries[]=ada.eth&queries[]=%F0%9F%A7%99.ada.eth&fresh=true',
    ]);
  });

  it('sends the credentials as basic authentication', async () => {
    await setting.create({ url: secretUrl() }).fetchProfiles([control.account], { fresh: false });
    expect(setting.fake.asked[0]?.authorization).toBe(`Basic ${btoa('app-user:hunter22')}`);
  });

  const echo = (response: Parameters<Fault>[0]) =>
    sendJson(response, 200, { response: [{ type: secretUrl() }], name: secretUrl() });
  it.each([...whatever, ['its own URL', echo, malformed(/…/)] as (typeof whatever)[0]])(
    'shows no secret in the error after %s',
    async (_, fault, expected) => {
      failing(fault, always);
      const source = setting.create({ url: secretUrl(), ...patience(expected) });
      const told = await source.fetchProfiles([ada], { fresh: false });
      const thrown = await source.fetchHolder('ada.eth', { fresh: false }).catch((error) => error);
      const shown = [told.get(ada), thrown].map((error) => `${error} ${error?.stack} ${JSON.stringify(error)}`);
      expect(SECRETS.filter((secret) => shown.join().includes(secret))).toEqual([]);
    },
  );
});
