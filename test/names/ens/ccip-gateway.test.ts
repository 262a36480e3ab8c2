import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createCcipGateway } from '../../../src/names/ens/ccip-gateway.ts';
import type { GuardedResponse } from '../../../src/remote/guarded-fetch.ts';
import { RemoteError, type RemoteFault } from '../../../src/remote/remote-error.ts';

const SENDER = '0xABCDEF0000000000000000000000000000000001';
const DATA = '0x1234';

/** A gateway with scripted responses, and the requests it sent. */
function createGateway(...answers: readonly (GuardedResponse | RemoteFault)[]) {
  const requests: { url: string; body: string | undefined }[] = [];
  const gateway = createCcipGateway({
    async fetch(url, body) {
      const answer = answers[requests.push({ url, body }) - 1];
      if (answer === undefined) throw new Error('too many requests');
      if ('kind' in answer) throw new RemoteError('some.host', 'gateway', answer);
      return answer;
    },
  });
  const send = (...urls: readonly string[]) => gateway.open().send({ sender: SENDER, data: DATA, urls });
  return { send, requests };
}

const ok = (text: string): GuardedResponse => ({ status: 200, text });
const status = (code: number): GuardedResponse => ({ status: code, text: '{"data":"0xbad0"}' });
const TIMEOUT: RemoteFault = { kind: 'timeout' };
const A = 'https://a.example/{sender}/{data}.json';
const B = 'https://b.example/{sender}/{data}.json';

describe('createCcipGateway', () => {
  it('sends a GET if the URL has a {data} placeholder', async () => {
    const { send, requests } = createGateway(ok('{"data":"0x01"}'));
    await send('https://a.example/{sender}/{data}.json?again={data}');
    expect(requests).toEqual([
      { url: `https://a.example/${SENDER.toLowerCase()}/${DATA}.json?again=${DATA}`, body: undefined },
    ]);
  });

  it('sends a POST if the URL has no {data} placeholder', async () => {
    const { send, requests } = createGateway(ok('{"data":"0x01"}'));
    await send('https://a.example/{sender}');
    expect(requests).toEqual([
      { url: `https://a.example/${SENDER.toLowerCase()}`, body: JSON.stringify({ data: DATA, sender: SENDER }) },
    ]);
  });

  it.each([
    ['a timeout', TIMEOUT],
    ['status 500', status(500)],
    ['status 304', status(304)],
    ['a response that is not JSON', ok('<h1>')],
    ['JSON without data', ok('{"message":"no"}')],
    ['data that is not hex', ok('{"data":"hello"}')],
    ['half a byte of data', ok('{"data":"0x123"}')],
    ['a response of null', ok('null')],
    ['a response that is an array', ok('["0x01"]')],
  ] as [string, GuardedResponse | RemoteFault][])('tries the next gateway after %s', async (_what, answer) => {
    const { send } = createGateway(answer, ok('{"data":"0x02"}'));
    expect(await send(A, B)).toBe('0x02');
  });

  it.each([400, 404, 429, 499])('tries no other gateway after the status %i', async (code) => {
    const { send, requests } = createGateway(status(code));
    await expect(send(A, B)).rejects.toMatchObject({ status: code });
    expect(requests).toHaveLength(1);
  });

  it('tries at most four gateways', async () => {
    const { send, requests } = createGateway(TIMEOUT, TIMEOUT, TIMEOUT, TIMEOUT, ok('{"data":"0x05"}'));
    await expect(send(A, A, A, A, B)).rejects.toThrow('timed out');
    expect(requests).toHaveLength(4);
  });
});

describe('a CCIP-read request of a hostile contract', () => {
  const long = `0x${'ab'.repeat(12_000)}` as const;
  it.each([
    ['20,000 placeholders', '{data}'.repeat(20_000), DATA, 'a URL of more than 2048 characters'],
    ['a few placeholders and long call data', '{data}'.repeat(10), long, 'a URL of more than 16384 characters'],
    ['one placeholder and long call data', '{data}', long, 'a URL of more than 16384 characters'],
    ['many senders', '{sender}'.repeat(250).concat('{data}'.repeat(5)), `0x${'ab'.repeat(800)}`, 'more than 16384'],
    ['endless call data', '', `0x${'ab'.repeat(70_000)}`, 'call data of more than 131072 characters'],
  ] as const)('is not expanded or sent if it has %s', async (_what, end, data, message) => {
    const fetch = () => expect.fail('a request was sent');
    const sent = createCcipGateway({ fetch })
      .open()
      .send({ sender: SENDER, data, urls: [`https://a.example/${end}`] });
    await expect(sent).rejects.toThrow(message);
  });
});

describe('a gateway response', () => {
  it.each([
    ['JSON', '{"data":"0xAbCd"}'],
    ['bare hex data', '0xabcd\n'],
  ])('is accepted as %s', async (_what, text) => {
    expect(await createGateway(ok(text)).send(A)).toBe('0xabcd');
  });

  it('is accepted with empty data', async () => {
    expect(await createGateway(ok('{"data":"0x"}')).send(A)).toBe('0x');
  });

  it('is accepted with any 2xx status', async () => {
    expect(await createGateway({ status: 203, text: '0x01' }).send(A)).toBe('0x01');
  });
});

describe('createCcipGateway with gateways that hang', () => {
  const request = (...urls: readonly string[]) => ({ sender: SENDER, data: DATA, urls }) as const;
  const never = () => new Promise<never>(() => undefined);

  it('serves a bounded number of lookups of one host at a time, and those of other hosts', async () => {
    const sent: string[] = [];
    const gateway = createCcipGateway({
      fetch: async (url) => {
        sent.push(new URL(url).host);
        return url.startsWith('https://a.') ? never() : ok('{"data":"0x02"}');
      },
    });
    const hanging = Array.from({ length: 16 }, () => gateway.open());
    for (const lookup of hanging) {
      void lookup.send(request(A));
      void lookup.send(request(A));
    }
    await expect(gateway.open().send(request(A))).rejects.toThrow('too many lookups wait for this gateway');
    expect(sent).toHaveLength(32);
    expect(await gateway.open().send(request(B))).toBe('0x02');
    for (const lookup of hanging) lookup.close();
    void gateway.open().send(request(A));
    expect(sent.filter((host) => host === 'a.example')).toHaveLength(33);
  });

  it('has one timeout for all URLs of a request', async () => {
    const limits: number[] = [];
    const gateway = createCcipGateway({
      timeoutMs: 20,
      fetch: async (_url, _body, timeoutMs = Number.NaN) => {
        limits.push(timeoutMs);
        await sleep(timeoutMs);
        throw new RemoteError('a.example', 'gateway', TIMEOUT);
      },
    });
    await expect(gateway.open().send(request(A, B, A, B))).rejects.toThrow('timed out');
    expect(limits.length).toBeLessThan(4);
    expect(Math.max(...limits)).toBeLessThanOrEqual(20);
  });
});

describe('createCcipGateway when all gateways fail', () => {
  it('throws the HTTP status, which is passed to the contract', async () => {
    await expect(createGateway(status(503)).send('https://a.example/v1/SECRETKEY/{data}')).rejects.toMatchObject({
      name: 'GatewayError',
      status: 503,
      message: 'a.example: gateway: responded with HTTP status 503',
    });
  });

  it('throws other faults with the host, without the rest of the URL', async () => {
    await expect(createGateway(TIMEOUT).send('https://a.example/v1/SECRETKEY/{data}')).rejects.toMatchObject({
      name: 'GatewayError',
      status: undefined,
      message: 'a.example: gateway: timed out',
    });
  });

  it('throws if the contract lists no gateway', async () => {
    await expect(createGateway().send()).rejects.toThrow('the contract lists no gateway URL');
  });
});
