import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Reader, Store } from '../../src/store/store.ts';
import { engines } from '../support/engines.ts';
import { fetchAnswer } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { loadLongList } from './long-list.ts';
import { createQueryGate } from './query-gate.ts';
import { ServiceFixture } from './support.ts';

/** Too long for a short reader, and too long to be held in memory. */
const PATH = '/lists/0/following?limit=100';

describe.each(engines)('a long page that several clients request on $name', (engine) => {
  const fixture = new ServiceFixture(engine);
  let store: Store;
  beforeEach(async () => {
    store = await fixture.open();
    await loadLongList(store);
  });
  afterEach(() => fixture.close());

  const createGate = () => {
    const gate = createQueryGate(store);
    onTestFinished(gate.open);
    return gate;
  };

  it('is answered for a client that requests it while it is read for another one', async () => {
    const gate = createGate();
    const service = await fixture.serve({ ...store, heavy: gate.store.heavy });
    const first = service.get(PATH);
    await gate.reached;
    const missed = gate.misses(1);
    const second = service.get(PATH);
    await missed;
    gate.open();
    const answers = await Promise.all([first, second]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[1]?.text).toBe(answers[0]?.text);
  });

  it('is answered for a client whose turn comes while it is tried as a short page for another one', async () => {
    const gate = createGate();
    const held = Promise.withResolvers<void>();
    onTestFinished(() => held.resolve());
    let reads = 0;
    const short: Reader = {
      ...store.short,
      async all(statement, params) {
        reads += 1;
        if (reads === 2) await held.promise;
        return store.short.all(statement, params);
      },
    };
    const service = await fixture.serve({ ...store, short, heavy: gate.store.heavy });
    const metrics = async () => (await fetchAnswer(`${service.url}/metrics`)).text;
    const untilWaiting = (count: number) =>
      waitFor(async () => expect(await metrics()).toContain(`kith_heavy_lookups{state="waiting"} ${count}\n`));
    const searches = Array.from({ length: store.heavy.concurrency }, (_, i) =>
      service.get(`/lists/0/searchFollowing?term=aaa${i}`),
    );
    const first = service.get(PATH);
    await untilWaiting(1);
    const second = service.get(PATH);
    await waitFor(() => expect(reads).toBe(2));
    gate.open();
    await untilWaiting(0);
    held.resolve();
    const answers = await Promise.all([first, second, ...searches]);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(answers[1]?.text).toBe(answers[0]?.text);
  });
});
