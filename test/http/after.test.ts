import { afterEach, describe, expect, it } from 'vitest';
import { claimChain } from '../../src/indexer/claim-chain.ts';
import { deployments } from '../../src/protocol/deployments.ts';
import type { Row } from '../../src/store/schema.ts';
import type { Store } from '../../src/store/store.ts';
import { ANN, ANNS, annsList, BOB, follow, logsOf } from '../model/small-history.ts';
import { engines } from '../support/engines.ts';
import { loadLogs } from '../support/load.ts';
import type { ServiceOptions } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { expectProblem, NOW, ServiceFixture } from './support.ts';

const HEAD = 20_000_000;
const followers = `/users/${BOB}/followers`;
const afterHead = (blocks: number) => `after=8453:${HEAD + blocks}`;

/** The first answers: of requests that found no room, while the others wait. */
function firstOf<T>(requests: readonly Promise<T>[], count: number): Promise<T[]> {
  return new Promise((resolve, reject) => {
    const first: T[] = [];
    for (const request of requests) {
      request.then((answer) => {
        if (first.push(answer) === count) resolve(first);
      }, reject);
    }
  });
}

describe.each(engines)('a lookup with after on $name', (engine) => {
  const fixture = new ServiceFixture(engine);
  afterEach(() => fixture.close());

  const cursorAt = (number: number, facts: Partial<Row<'cursors'>> = {}): Row<'cursors'> => ({
    ...{ chain_id: 8453, number, hash: '0x01', time: 1, head_number: number, head_time: 1, finalized_number: 1 },
    ...{ checked_at: NOW * 1000, ...facts },
  });
  const moveTo = (store: Store, blocks: number, facts?: Partial<Row<'cursors'>>) =>
    store.transaction((tx) => tx.upsert('cursors', [cursorAt(HEAD + blocks, facts)]));
  /** A store whose chain is indexed up to `HEAD`, another one of the same database, and a service of the first. */
  const start = async (options: ServiceOptions = {}) => {
    const [store, writer] = [await fixture.open(), await fixture.open()];
    await loadLogs(writer, logsOf(annsList));
    await writer.transaction((tx) => claimChain(tx, { chainId: 8453, deployment: deployments.mainnet, startBlock: 1 }));
    await moveTo(writer, 0);
    // A request that is not answered ends the test by its own time limit.
    return { store, writer, service: await fixture.serve(store, { blockWaitMs: 60_000, ...options }) };
  };
  /** Begins to wait: it takes the room of a client. */
  const untilWaiting = (asked: readonly Promise<unknown>[], service: { get: (path: string) => Promise<unknown> }) =>
    Promise.all([service.get(followers), ...asked.map((request) => Promise.race([request, undefined]))]);

  it('is answered at once when the block is indexed, and takes up to three blocks', async () => {
    const { service } = await start();
    expect((await service.get(`${followers}?${afterHead(0)}`)).json).toEqual({ followers: [] });
    expect((await service.get(`${followers}?after=8453:1,8453:2,8453:3`)).status).toBe(200);
  });

  it('waits for the block that another process indexes, and shows what is in it', async () => {
    const { service, writer } = await start();
    // An answer of before is in the cache.
    expect((await service.get(followers)).json).toEqual({ followers: [] });
    const waiting = [
      service.get(`${followers}?${afterHead(2)}`),
      service.get(`/users/${ANN}/hops?${afterHead(2)}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify([BOB]),
      }),
    ];
    await untilWaiting(waiting, service);
    await moveTo(writer, 1);
    await loadLogs(writer, logsOf([...annsList, follow(ANNS, BOB)]));
    await moveTo(writer, 2);
    const [list, hops] = await Promise.all(waiting);
    expect(list?.json.followers).toMatchObject([{ address: ANN }]);
    expect(hops?.json.hops).toEqual([{ address: BOB, steps: 1 }]);
  });

  it('waits for a block without logs', async () => {
    const { service, writer } = await start();
    const waiting = service.get(`${followers}?${afterHead(1)}`);
    await untilWaiting([waiting], service);
    await moveTo(writer, 1);
    expect((await waiting).status).toBe(200);
  });

  it('waits until the graph has the logs of the block', async () => {
    const { service, writer } = await start();
    await writer.transaction((tx) => tx.count({ unfolded_logs: 3 }));
    const waiting = service.get(`${followers}?${afterHead(0)}`);
    await untilWaiting([waiting], service);
    await writer.transaction((tx) => tx.count({ unfolded_logs: -3, graph_version: 1 }));
    expect((await waiting).status).toBe(200);
  });

  it('is 503 when the time is over, and says how far the chains are indexed', async () => {
    const { service, writer } = await start({ blockWaitMs: 1 });
    const late = await service.get(`${followers}?after=8453:1,8453:${HEAD + 5}`);
    const { indexed, ...json } = late.json;
    const detail = expectProblem({ ...late, json }, { status: 503, code: 'not-indexed-yet' });
    expect(detail).toBe(`chain 8453 is indexed up to block ${HEAD}, not up to block ${HEAD + 5} yet`);
    expect(indexed).toEqual([{ chain_id: 8453, block: HEAD }]);
    expect(late.headers.get('retry-after')).toBe('1');
    await moveTo(writer, 5);
    // On PostgreSQL, the notification arrives some time after the commit.
    await waitFor(async () => expect((await service.get(`${followers}?${afterHead(5)}`)).status).toBe(200));
  });

  it('is 400 at once for a block far above the head, of which more may exist the longer ago a node was asked', async () => {
    const { service, writer } = await start({ blockWaitMs: 1 });
    const tooFar = await service.get(`${followers}?${afterHead(300)}`);
    expect(expectProblem(tooFar, { status: 400, code: 'invalid-parameter' })).toContain(
      `block ${HEAD + 300} is far above the head of chain 8453, which was ${HEAD}`,
    );
    await moveTo(writer, 0, { checked_at: (NOW - 3600) * 1000 });
    await waitFor(async () => expect((await service.get(`${followers}?${afterHead(300)}`)).status).toBe(503));
    expect((await service.get(`${followers}?${afterHead(20_000)}`)).status).toBe(400);
  });

  it('is 400 for a chain that is not indexed, and for what is no list of blocks', async () => {
    const { service } = await start();
    expect(
      expectProblem(await service.get(`${followers}?after=10:5`), { status: 400, code: 'invalid-parameter' }),
    ).toBe('after: this service does not index chain 10; it indexes 8453');
    for (const after of [
      '8453',
      '8453:',
      ':1',
      '8453:-1',
      '8453:1,',
      '1:1,1:2,1:3,1:4',
      '8453:0x1',
      `8453:${'9'.repeat(17)}`,
    ])
      expectProblem(await service.get(`${followers}?after=${after}`), { status: 400, code: 'invalid-parameter' });
  });

  it('is 400 for any block if no chain is indexed', async () => {
    const store = await fixture.open();
    await loadLogs(store, logsOf(annsList));
    const service = await fixture.serve(store);
    const answer = await service.get(`${followers}?${afterHead(0)}`);
    expect(expectProblem(answer, { status: 400, code: 'invalid-parameter' })).toContain('it indexes no chain');
  });

  it('has the cached answer of the lookup without it, and no link with it', async () => {
    const { service, writer } = await start();
    await loadLogs(writer, logsOf([...annsList, follow(ANNS, BOB), follow(ANNS, `0x${'e'.repeat(40)}`)]));
    const following = `/users/${ANN}/following?limit=1`;
    const first = await waitFor(async () => {
      const answer = await service.get(`${following}&${afterHead(0)}`);
      expect(answer.json.following).toHaveLength(1);
      return answer;
    });
    expect(first.headers.get('link')).not.toContain('after');
    expect((await service.get(following)).headers.get('x-cache')).toBe('HIT');
    expect((await service.get(`${following}&after=8453:1`)).headers.get('x-cache')).toBe('HIT');
  });

  it('takes neither a connection of the database nor a place in a queue while it waits', async () => {
    const { service, writer } = await start();
    const waiting = Array.from({ length: 50 }, () => service.get(`/users/${ANN}/path/${BOB}?${afterHead(1)}`));
    await untilWaiting(waiting, service);
    expect((await service.get(`/users/${ANN}/path/${BOB}`)).json.length).toBeNull();
    await moveTo(writer, 1);
    for (const { status } of await Promise.all(waiting)) expect(status).toBe(200);
  });

  it('is 429 for a client with too many requests that wait, until they have been answered', async () => {
    const { service, writer } = await start();
    const waiting = Array.from({ length: 60 }, () => service.get(`${followers}?${afterHead(1)}`));
    const [refused = expect.fail()] = await firstOf(waiting, 10);
    expectProblem(refused, { status: 429, code: 'rate-limited' });
    expect(refused.headers.get('retry-after')).toBe('1');
    await moveTo(writer, 1);
    const statuses = (await Promise.all(waiting)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(50);
    expect((await service.get(`${followers}?${afterHead(1)}`)).status).toBe(200);
  });

  it('is 503 for every client while too many requests wait in all', async () => {
    const { service, writer } = await start({ limits: { trustProxy: '127.0.0.1' } });
    const get = (client: number, query: string) =>
      service.get(`${followers}?${query}`, { headers: { 'x-forwarded-for': `10.0.0.${client}` } });
    const waiting = Array.from({ length: 450 }, (_, i) => get(i % 25, afterHead(1)));
    const [refused = expect.fail()] = await firstOf(waiting, 50);
    expectProblem(refused, { status: 503, code: 'overloaded' });
    expect((await get(99, '')).status).toBe(200);
    await moveTo(writer, 1);
    const statuses = (await Promise.all(waiting)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(400);
  });

  it('makes room when its client hangs up', async () => {
    const { service } = await start();
    const probe = async () => (await service.get(`${followers}?${afterHead(300)}`)).status;
    const controller = new AbortController();
    const { signal } = controller;
    const hung = Array.from({ length: 60 }, () =>
      fetch(`${service.url}/api/v1${followers}?${afterHead(1)}`, { signal }).catch(() => 'aborted'),
    );
    await firstOf(hung, 10);
    controller.abort();
    expect(await Promise.all(hung)).toContain('aborted');
    await waitFor(async () => expect(await probe()).toBe(400));
  });

  it('is 503 when the server stops', async () => {
    const { service } = await start();
    const waiting = [service.get(`${followers}?${afterHead(1)}`), service.get(`${followers}?${afterHead(2)}`)];
    await untilWaiting(waiting, service);
    await service.close();
    for (const answer of await Promise.all(waiting)) {
      const { indexed: _, ...json } = answer.json;
      expectProblem({ ...answer, json }, { status: 503, code: 'not-indexed-yet' });
    }
  });
});
