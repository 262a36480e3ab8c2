import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { ClientConnection, ConnectionState } from '../../src/http/client-connection.ts';
import { createHeavyLane } from '../../src/http/heavy-lane.ts';
import { RequestQueue } from '../../src/http/request-queue.ts';

const client = (...states: ConnectionState[]): ClientConnection => ({
  since: performance.now(),
  state: () => (states.length > 1 ? states.shift() : states[0]) ?? 'connected',
});

describe('RequestQueue', () => {
  it('returns requests in the order in which they came', async () => {
    const queue = new RequestQueue(10);
    const results = [1, 2, 3].map((value) => queue.add(client('connected'), async () => value));
    for (let next = queue.take(); next !== undefined; next = queue.take()) await next.start();
    expect(await Promise.all(results)).toEqual([1, 2, 3]);
  });

  it('drops a request whose client has closed the connection', async () => {
    const queue = new RequestQueue(10);
    const dropped = queue.add(client('gone'), async () => 1);
    const kept = queue.add(client('connected'), async () => 2);
    await queue.take()?.start();
    await expect(dropped).rejects.toMatchObject({ code: 'client-closed-request' });
    expect(await kept).toBe(2);
  });

  it('serves others while it is unknown whether a client is connected', async () => {
    const queue = new RequestQueue(10);
    const started: string[] = [];
    const add = (name: string, connection: ClientConnection) =>
      queue.add(connection, async () => void started.push(name));
    void add('probed', client('unknown', 'connected'));
    void add('other', client('connected'));
    for (let next = queue.take(); next !== undefined; next = queue.take()) await next.start();
    expect(started).toEqual(['other', 'probed']);
  });

  it('rejects a request that does not fit', async () => {
    const queue = new RequestQueue(1);
    const first = queue.add(client('connected'), async () => 1);
    const rejected = { code: 'overloaded', status: 503, headers: { 'retry-after': '1' } };
    await expect(queue.add(client('connected'), async () => 2)).rejects.toMatchObject(rejected);
    await queue.take()?.start();
    expect(await first).toBe(1);
  });

  it('rejects a request that has waited too long', async () => {
    const queue = new RequestQueue(1);
    const old = { ...client('connected'), since: performance.now() - 60_000 };
    const rejected = expect(queue.add(old, async () => 1)).rejects.toMatchObject({ code: 'overloaded' });
    expect(queue.take()).toBeUndefined();
    await rejected;
  });
});

describe('createHeavyLane', () => {
  it('starts no more queries in one turn of the event loop than may run at once', async () => {
    const { run } = createHeavyLane(2);
    let started = 0;
    const results = [1, 2, 3, 4, 5].map(() => run(client('connected'), async () => ++started));
    await nextTurn();
    expect(started).toBe(2);
    expect(await Promise.all(results)).toEqual([1, 2, 3, 4, 5]);
  });

  it('runs no more queries at once than it may', async () => {
    const { run } = createHeavyLane(2);
    let running = 0;
    let most = 0;
    const query = async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
    };
    await Promise.all(Array.from({ length: 10 }, () => run(client('connected'), query)));
    expect(most).toBe(2);
  });

  it('goes on after a query that fails', async () => {
    const { run } = createHeavyLane(1);
    const failed = run(client('connected'), () => Promise.reject(new Error('query failed')));
    const next = run(client('connected'), async () => 1);
    await expect(failed).rejects.toThrow('query failed');
    expect(await next).toBe(1);
  });
});
