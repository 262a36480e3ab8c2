import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { ANNS, annsList, BOB, follow, logsOf } from '../model/small-history.ts';
import { anyEngine } from '../support/engines.ts';
import { loadLogs } from '../support/load.ts';
import type { Service } from '../support/service.ts';
import { createGate } from './gate.ts';
import { Stage } from './support.ts';

const path = `/api/v1/users/${BOB}/followers`;
/** Far more than ending takes, far less than any timeout of a connection. */
const DEADLINE_MS = 5_000;

// How a service ends does not depend on the engine: one will do.
describe.each(anyEngine)('the service', (engine) => {
  const stage = new Stage(engine);
  const clients: Socket[] = [];
  afterEach(async () => {
    for (const client of clients.splice(0)) client.destroy();
    await stage.close();
  });

  async function openStore() {
    const store = await stage.open();
    await loadLogs(store, logsOf([...annsList, follow(ANNS, BOB)]));
    return store;
  }

  /** Sends bytes and keeps the line open; gives back what was received, once there was anything or it was cut. */
  function call({ url }: Service, bytes: string): Promise<string> {
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

  it('told to end, finishes the requests under way first', async () => {
    const gate = createGate(await openStore());
    const service = await stage.serve(gate.store);
    const received = call(service, `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
    await gate.reached;
    const ended = service.close();
    gate.open();
    expect(await received).toMatch(/^HTTP\/1\.1 200 /);
    expect(await inTime(ended)).toBe(true);
  });

  it('told to end, does not wait for clients that only keep their line open', async () => {
    const service = await stage.serve(await openStore());
    expect(await call(service, `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`)).toMatch(/^HTTP\/1\.1 200 /);
    expect(await inTime(service.close())).toBe(true);
  });

  it.each([
    ['a body that never comes', 100, ''],
    ['a body that does not come to its end', 100, 'abc'],
    ['more than is read', 2_000_000, 'x'.repeat(2_000_000)],
  ])('told to end, does not wait for clients that announced %s', async (_, length, body) => {
    const service = await stage.serve(await openStore());
    const arrived = nextRequest();
    void call(service, `PUT ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n${body}`);
    await arrived;
    expect(await inTime(service.close())).toBe(true);
  });

  it.each([
    ['JSON', 'Content-Type: application/json\r\n'],
    ['text', 'Content-Type: text/plain\r\n'],
    ['no known type', ''],
  ])('refuses a write of %s without waiting for its body', async (_, type) => {
    const service = await stage.serve(await openStore());
    const received = call(service, `PUT ${path} HTTP/1.1\r\nHost: a\r\n${type}Content-Length: 100\r\n\r\n{`);
    expect(await inTime(received)).toBe(true);
    expect(await received).toMatch(/^HTTP\/1\.1 405 /);
  });
});

/** Whether `work` settles before the deadline. */
async function inTime(work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, DEADLINE_MS, false);
  });
  const settled = await Promise.race([work.then(() => true), late]);
  clearTimeout(timer);
  return settled;
}

/** Settles when the head of a request has come in that the plain way does not read. */
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
