import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { anyEngine, engines } from '../support/engines.ts';
import { fetchAnswer, type Service } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { createQueryGate } from './query-gate.ts';
import { RawConnection } from './raw-connection.ts';
import { ServiceFixture, STAR } from './support.ts';

const followers = `/api/v1/users/${STAR.address}/followers`;
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: kith\r\n\r\n`;

describe.each(anyEngine)('on $name', (engine) => {
  const fixture = new ServiceFixture(engine);
  afterEach(() => fixture.close());

  async function open(service: Service): Promise<RawConnection> {
    const connection = await RawConnection.open(service.url);
    onTestFinished(() => connection.close());
    return connection;
  }

  /** Serves the demo graph behind a gate that holds the results of queries. */
  async function serveHeld() {
    await fixture.serveDemo();
    const gate = createQueryGate(await fixture.open());
    return { gate, service: await fixture.serve(gate.store, { cacheBytes: 0 }) };
  }

  it('starts the next pipelined request only after the response before it has been sent', async () => {
    const { gate, service } = await serveHeld();
    const connection = await open(service);
    await connection.send([1, 2, 3].map((limit) => get(`${followers}?limit=${limit}`)).join(''));
    await gate.reached;
    await nextTurn();
    expect(gate.queries).toBe(1);
    gate.open();
    for (const limit of [1, 2, 3]) {
      expect(JSON.parse((await connection.next())?.body ?? '').followers).toHaveLength(limit);
    }
  });

  it('closes a connection with more pipelined requests than fit its queue, and answers others', async () => {
    const service = await fixture.serveDemo();
    const connection = await open(service);
    connection.pause();
    await connection.send(get(`${followers}?limit=1000`).repeat(1000));
    expect((await fetchAnswer(`${service.url}${followers}`)).status).toBe(200);
    connection.resume();
    let responses = 0;
    while ((await connection.next()) !== null) responses += 1;
    expect(responses).toBeLessThan(34);
  });
});

describe('requests of closed connections', () => {
  const [sqlite = expect.fail('no engine')] = engines;
  const fixture = new ServiceFixture(sqlite);
  afterEach(() => fixture.close());

  /** A store whose heavy queries wait until they are released. */
  function holdHeavy(store: Store) {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let started = 0;
    const { reader } = store.heavy;
    const heavy = {
      concurrency: 1,
      reader: {
        ...reader,
        all: (async (statement, params) => {
          started += 1;
          await released;
          return reader.all(statement, params);
        }) as typeof reader.all,
      },
    };
    return { store: { ...store, heavy }, release: () => release(), started: () => started };
  }

  it('are dropped if they have not begun', async () => {
    await fixture.serveDemo();
    const held = holdHeavy(await fixture.open());
    const service = await fixture.serve(held.store, { cacheBytes: 0 });
    const page = (offset: number) => get(`/api/v1/users/${STAR.address}/followers?limit=1000&offset=${offset}`);
    const clients = await Promise.all(['a', 'b', 'c', 'd'].map(async () => RawConnection.open(service.url)));
    await Promise.all(clients.map((client, i) => client.send(page(i))));
    await waitFor(() => expect(held.started()).toBe(1));
    for (const client of clients) client.close();
    // The connection of this request is the only one left.
    const metrics = async () => (await fetchAnswer(`${service.url}/metrics`)).text;
    await waitFor(async () => expect(await metrics()).toContain('kith_http_connections 1\n'));
    const last = await RawConnection.open(service.url);
    onTestFinished(() => last.close());
    await last.send(page(clients.length));
    held.release();
    expect((await last.next())?.statusLine).toBe('HTTP/1.1 200 OK');
    expect(held.started()).toBe(2);
  });
});
