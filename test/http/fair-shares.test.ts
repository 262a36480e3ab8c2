import { afterEach, describe, expect, it } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { engines } from '../support/engines.ts';
import { waitFor } from '../support/wait-for.ts';
import { ServiceFixture, STAR } from './support.ts';

/** Of each of five clients. */
const REQUESTS = 60;
/** Requests that may wait. */
const QUEUE = 100;
const HOSTILE = ['10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.4', '10.0.0.5'];

describe.each(engines)('expensive requests on $name', (engine) => {
  const fixture = new ServiceFixture(engine);
  afterEach(() => fixture.close());

  /** A store whose heavy queries wait until they are released. */
  function holdHeavy(store: Store) {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { reader, concurrency } = store.heavy;
    const all = (async (statement, params) => {
      await released;
      return reader.all(statement, params);
    }) as typeof reader.all;
    return { store: { ...store, heavy: { concurrency, reader: { ...reader, all } } }, release };
  }

  it('of one client are answered beside five clients that fill the queue', async () => {
    await fixture.serveDemo();
    const { store, release } = holdHeavy(await fixture.open());
    const service = await fixture.serve(store, { cacheBytes: 0, limits: { trustProxy: '127.0.0.1' } });
    const search = (client: string, term: string) =>
      service.get(`/users/${STAR.address}/searchFollowers?term=${term}`, { headers: { 'x-forwarded-for': client } });
    const hostile = HOSTILE.flatMap((client, i) =>
      Array.from({ length: REQUESTS }, (_, n) => search(client, `${i}x${n}`)),
    );
    // Those that find the queue full are rejected.
    let rejected = 0;
    for (const answer of hostile) void answer.then(({ status }) => (rejected += status === 503 ? 1 : 0));
    const excess = hostile.length - store.heavy.concurrency - QUEUE;
    await waitFor(() => expect(rejected).toBe(excess));
    const honest = ['a', 'b', 'c'].map((term) => search('10.0.0.9', term));
    // Each takes the place of one that waits.
    await waitFor(() => expect(rejected).toBe(excess + honest.length));
    release();
    expect((await Promise.all(honest)).map(({ status }) => status)).toEqual([200, 200, 200]);
    await Promise.all(hostile);
  });
});
