import { afterEach, describe, expect, it } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { ANN, ANNS, annsList, BOB, bobsList, follow, logsOf, unfollow } from '../model/small-history.ts';
import { engines } from '../support/engines.ts';
import { loadLogs, numberOf, versionOf } from '../support/load.ts';
import type { Answer, Service } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { createQueryGate, type QueryGate } from './query-gate.ts';
import { ServiceFixture, write } from './support.ts';

const followers = `/users/${BOB}/followers`;

describe.each(engines)('concurrent requests on $name', (engine) => {
  const fixture = new ServiceFixture(engine);
  afterEach(() => fixture.close());

  async function openStore(): Promise<Store> {
    const store = await fixture.open();
    await loadLogs(store, logsOf([...annsList, ...bobsList, follow(ANNS, BOB)]));
    return store;
  }

  it('runs one query for equal concurrent requests and sends its result to all of them', async () => {
    const gate = createQueryGate(await openStore());
    const service = await fixture.serve(gate.store);
    const answers = await requestConcurrently(service, Array(8).fill(followers), gate);
    expect(gate.queries).toBe(1);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers[0]?.json.followers).toMatchObject([{ address: ANN }]);
    for (const { headers } of answers) expect(headers.get('x-cache')).toBe('MISS');
  });

  it('runs one query for equal concurrent requests with the cache off', async () => {
    const gate = createQueryGate(await openStore());
    const service = await fixture.serve(gate.store, { cacheBytes: 0 });
    await requestConcurrently(service, Array(8).fill(followers), gate);
    expect(gate.queries).toBe(1);
  });

  it('runs one query for equal concurrent requests for a heavy lookup, and answers all of them', async () => {
    const store = await openStore();
    // On PostgreSQL the notification of a commit arrives over another connection.
    const committed = await versionOf(store);
    await waitFor(() => expect(numberOf(store.version.current())).toBe(committed));
    const gate = createQueryGate(store);
    const service = await fixture.serve(gate.store);
    // More than run at once.
    const paths: string[] = Array(12).fill(`${followers}?limit=1000`);
    const answers = await requestConcurrently(service, paths, gate);
    expect(gate.queries).toBe(1);
    expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 200));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers[0]?.json.followers).toMatchObject([{ address: ANN }]);
  });

  it('runs one query per URL for different concurrent requests', async () => {
    const gate = createQueryGate(await openStore());
    const service = await fixture.serve(gate.store);
    const paths = ['', '?limit=5', '?sort=followers', '?cache=fresh'].map((query) => followers + query);
    await requestConcurrently(service, paths, gate);
    expect(gate.queries).toBe(paths.length);
  });

  it('sends a query error to all concurrent requests and runs the query again for the next request', async () => {
    const store = await openStore();
    const gate = createQueryGate(store);
    const service = await fixture.serve(gate.store);
    gate.failure = new Error('disk failure');
    const answers = await requestConcurrently(service, Array(3).fill(followers), gate);
    expect(answers.map(({ status }) => status)).toEqual([500, 500, 500]);
    for (const { text } of answers) expect(text).not.toContain('disk failure');
    gate.failure = undefined;
    expect((await service.get(followers)).status).toBe(200);
  });

  it('does not cache a response under the data version of a commit that happened during its query', async () => {
    const store = await openStore();
    const gate = createQueryGate(store);
    const service = await fixture.serve(gate.store);
    const early = service.get(followers);
    await gate.reached;
    await write(store, [unfollow(ANNS, BOB)]);
    gate.open();
    expect((await early).json.followers).toHaveLength(1);
    expect((await service.get(followers)).json.followers).toEqual([]);
  });

  it('does not share a query in flight with a request that arrives after a commit', async () => {
    const store = await openStore();
    const gate = createQueryGate(store);
    const service = await fixture.serve(gate.store);
    const early = service.get(followers);
    await gate.reached;
    await write(store, [unfollow(ANNS, BOB)]);
    const arrived = gate.misses(1);
    const late = service.get(followers);
    await arrived;
    gate.open();
    expect((await early).json.followers).toHaveLength(1);
    expect((await late).json.followers).toEqual([]);
  });
});

/** Requests all `paths`, opens the gate when all of them wait for a query, and returns the responses. */
async function requestConcurrently(service: Service, paths: readonly string[], gate: QueryGate): Promise<Answer[]> {
  const arrived = gate.misses(paths.length);
  const answers = Promise.all(paths.map((path) => service.get(path)));
  await arrived;
  gate.open();
  return answers;
}
