import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { ANNS, annsList, BOB, follow, logsOf } from '../model/small-history.ts';
import { anyEngine } from '../support/engines.ts';
import { loadLogs } from '../support/load.ts';
import type { Service } from '../support/service.ts';
import { createQueryGate } from './query-gate.ts';
import { ServiceFixture } from './support.ts';

const path = `/api/v1/users/${BOB}/followers`;
/** Far above the duration of a shutdown, far below any timeout of a connection. */
const DEADLINE_MS = 5_000;

describe.each(anyEngine)('shutdown', (engine) => {
  const fixture = new ServiceFixture(engine);
  const clients: Socket[] = [];
  afterEach(async () => {
    for (const client of clients.splice(0)) client.destroy();
    await fixture.close();
  });

  async function openStore() {
    const store = await fixture.open();
    await loadLogs(store, logsOf([...annsList, follow(ANNS, BOB)]));
    return store;
  }

  /** Sends bytes and keeps the connection open; returns the first data received, empty if the server closes it. */
  function sendAndHold({ url }: Service, bytes: string): Promise<string> {
    const { port, hostname } = new URL(url);
    const client = connect(Number(port), hostname);
    clients.push(client);
    client.on('error', () => undefined);
    client.write(bytes);
    return new Promise((resolve) => {
      client.once('data', (data) => resolve(String(data)));
      client.once('close', () => resolve(''));
    });
  }

  it('completes requests in progress', async () => {
    const gate = createQueryGate(await openStore());
    const service = await fixture.serve(gate.store);
    const received = sendAndHold(service, `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
    await gate.reached;
    const ended = service.close();
    gate.open();
    expect(await received).toMatch(/^HTTP\/1\.1 200 /);
    expect(await inTime(ended)).toBe(true);
  });

  it('closes idle keep-alive connections', async () => {
    const service = await fixture.serve(await openStore());
    expect(await sendAndHold(service, `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`)).toMatch(/^HTTP\/1\.1 200 /);
    expect(await inTime(service.close())).toBe(true);
  });

  it.each([
    ['a request body that it never sends', 100, ''],
    ['a request body that it sends in part', 100, 'abc'],
    ['a request body of 2 MB', 2_000_000, 'x'.repeat(2_000_000)],
  ])('does not wait for a client that announced %s', async (_, length, body) => {
    const service = await fixture.serve(await openStore());
    const arrived = nextRequest();
    void sendAndHold(service, `PUT ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n${body}`);
    await arrived;
    expect(await inTime(service.close())).toBe(true);
  });

  it.each([
    ['JSON', 'Content-Type: application/json\r\n'],
    ['text', 'Content-Type: text/plain\r\n'],
    ['an unknown type', ''],
  ])('returns 405 for a write of %s without waiting for its body', async (_, type) => {
    const service = await fixture.serve(await openStore());
    const received = sendAndHold(service, `PUT ${path} HTTP/1.1\r\nHost: a\r\n${type}Content-Length: 100\r\n\r\n{`);
    expect(await inTime(received)).toBe(true);
    expect(await received).toMatch(/^HTTP\/1\.1 405 /);
  });
});

/** Returns whether `work` settles before the deadline. */
async function inTime(work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, DEADLINE_MS, false);
  });
  const settled = await Promise.race([work.then(() => true), late]);
  clearTimeout(timer);
  return settled;
}

/** Resolves when the server has received the headers of a request. */
function nextRequest(): Promise<void> {
  const channel = 'http.server.request.start';
  return new Promise((resolve) => {
    const onRequest = () => {
      unsubscribe(channel, onRequest);
      resolve();
    };
    subscribe(channel, onRequest);
  });
}
