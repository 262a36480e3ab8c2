import { describe, expect, it } from 'vitest';
import type { PoapBadgeSourceOptions } from '../../src/badges/badge-source.ts';
import { type Store, StoreUnavailableError } from '../../src/store/store.ts';
import { anyEngine, engines } from '../support/engines.ts';
import { versionOf } from '../support/load.ts';
import { waitFor } from '../support/wait-for.ts';
import { ANN, BOB, byEvent, EVENTS, HELD_MS, NOW, put, row, stored, useBadgeSetup } from './badge-setup.ts';
import { held, notHeld, page, type Reply } from './fake-poap.ts';

const [FIRST, SECOND, THIRD] = EVENTS;
const FRESH = { fresh: true };
const all = (token: string | null) => Object.fromEntries(EVENTS.map((eventId) => [eventId, token]));
const saved = (token: string | null, checkedAt: number) => EVENTS.map((id) => `${id} ${token} ${checkedAt}`);

/** A store whose transactions can be observed, delayed and made to fail. */
function createLock() {
  const lock = {
    transactions: 0,
    running: 0,
    most: 0,
    failure: null as Error | null,
    opened: Promise.resolve(),
    through: (store: Store): PoapBadgeSourceOptions['store'] => ({
      reader: store.reader,
      async transaction(work) {
        lock.transactions += 1;
        lock.most = Math.max(lock.most, ++lock.running);
        try {
          await lock.opened;
          if (lock.failure !== null) throw lock.failure;
          return await store.transaction(work);
        } finally {
          lock.running -= 1;
        }
      },
    }),
    /** Delays transactions until the returned function is called. */
    close(): () => void {
      let open: (() => void) | undefined;
      lock.opened = new Promise((resolve) => {
        open = resolve;
      });
      return () => open?.();
    },
  };
  return lock;
}

describe.each(engines)('the data version on $name', (engine) => {
  const setUp = useBadgeSetup(engine);
  const own = held('42');

  const changes: [string, Reply, Reply, number][] = [
    ['is unchanged if badges are still held', own, own, 0],
    ['is unchanged if badges are still not held', notHeld, notHeld, 0],
    ['is raised once if badges are held that were not', notHeld, own, 1],
    ['is raised once if badges are no longer held', own, notHeld, 1],
    ['is raised once if a badge has another token', own, held('43'), 1],
  ];
  it.each(changes)('%s', async (_, before, after, raised) => {
    const setup = await setUp();
    setup.poap.reply = () => before;
    await setup.tokensOf(ANN);
    await waitFor(async () => expect(await stored(setup.store, ANN)).toHaveLength(3));
    const version = await versionOf(setup.store);
    setup.now += 1;
    setup.poap.reply = () => after;
    await setup.tokensOf(ANN, FRESH);
    await waitFor(async () => {
      const times = (await stored(setup.store, ANN)).map((line) => line.split(' ')[2]);
      expect(times).toEqual(Array(3).fill(String(NOW + 1)));
    });
    expect(await versionOf(setup.store)).toBe(version + raised);
  });

  it.each([
    ['is unchanged if a first check finds no badge', notHeld, 0],
    ['is raised once if a first check finds badges', own, 1],
  ])('%s', async (_, reply, raised) => {
    const setup = await setUp();
    const version = await versionOf(setup.store);
    setup.poap.reply = () => reply;
    await setup.tokensOf(ANN);
    await waitFor(async () => expect(await stored(setup.store, ANN)).toHaveLength(3));
    expect(await versionOf(setup.store)).toBe(version + raised);
  });
});

describe.each(anyEngine)('fetched badges on $name', (engine) => {
  const setUp = useBadgeSetup(engine);

  it('are stored in one transaction per account, even if a part of the batch failed', async () => {
    const lock = createLock();
    const setup = await setUp({ through: lock.through });
    setup.poap.reply = byEvent({ [SECOND]: page(400) }, held('42'));
    await expect(setup.tokensOf(ANN)).rejects.toThrow('400');
    const expected = [`${FIRST} 42 ${NOW}`, `${THIRD} 42 ${NOW}`];
    await waitFor(async () => expect(await stored(setup.store, ANN)).toEqual(expected));
    expect(lock.transactions).toBe(1);
  });

  it('never replace a later check by another process', async () => {
    const setup = await setUp();
    const release = setup.poap.hold();
    const answer = setup.tokensOf(ANN);
    await waitFor(() => expect(setup.waiting()).toBe(1));
    await put(setup.store, [
      row(ANN, FIRST, null, NOW + 1),
      row(ANN, SECOND, '40', NOW),
      row(ANN, THIRD, '40', NOW - 1),
    ]);
    const version = await versionOf(setup.store);
    setup.poap.reply = () => held('42');
    release();
    await answer;
    const expected = [`${FIRST} null ${NOW + 1}`, `${SECOND} 42 ${NOW}`, `${THIRD} 42 ${NOW}`];
    await waitFor(async () => expect(await stored(setup.store, ANN)).toEqual(expected));
    expect(await versionOf(setup.store)).toBe(version + 1);
  });

  it('replace checks of a clock that was days ahead', async () => {
    const setup = await setUp({ events: [FIRST] });
    const ahead = NOW + 10 * 86_400_000;
    await put(setup.store, [row(ANN, FIRST, '41', ahead)]);
    setup.poap.reply = () => held('42');
    // Stale, so it is returned once more.
    expect(await setup.tokensOf(ANN)).toEqual({ [FIRST]: '41' });
    await waitFor(async () => expect(await stored(setup.store, ANN)).toEqual([`${FIRST} 42 ${NOW}`]));
    expect(await setup.tokensOf(ANN)).toEqual({ [FIRST]: '42' });
    expect(setup.requests).toHaveLength(1);
  });

  it('keep the data version if another process has stored a later check', async () => {
    const lock = createLock();
    const setup = await setUp({ through: lock.through, events: [FIRST] });
    const release = setup.poap.hold();
    const answer = setup.tokensOf(ANN);
    await waitFor(() => expect(setup.waiting()).toBe(1));
    await put(setup.store, [row(ANN, FIRST, '43', NOW + 1)]);
    const version = await versionOf(setup.store);
    release();
    await answer;
    await waitFor(() => expect([lock.transactions, lock.running]).toEqual([1, 0]));
    expect(await stored(setup.store, ANN)).toEqual([`${FIRST} 43 ${NOW + 1}`]);
    expect(await versionOf(setup.store)).toBe(version);
    expect(await setup.tokensOf(ANN)).toEqual({ [FIRST]: '43' });
  });

  it.each([
    new StoreUnavailableError('the database cannot be reached'),
    Object.assign(new Error('attempt to write a readonly database'), { code: 'SQLITE_READONLY' }),
  ])('are returned if they cannot be stored, and fetched again: %s', async (failure) => {
    const lock = createLock();
    lock.failure = failure;
    const setup = await setUp({ through: lock.through });
    setup.poap.reply = () => held('42');
    expect(await setup.tokensOf(ANN)).toEqual(all('42'));
    await waitFor(() =>
      expect(setup.messages('warn')).toEqual([expect.stringMatching(/^failed to store fetched badges/)]),
    );
    expect(await stored(setup.store, ANN)).toEqual([]);
    lock.failure = null;
    expect(await setup.tokensOf(ANN)).toEqual(all('42'));
    expect(setup.requests).toHaveLength(6);
    await waitFor(async () => expect(await stored(setup.store, ANN)).toEqual(saved('42', NOW)));
  });

  it('are returned while their write is queued, and fetched again only with fresh', async () => {
    const lock = createLock();
    const open = lock.close();
    const setup = await setUp({ through: lock.through });
    setup.poap.reply = () => held('42');
    for (let i = 0; i < 2; i++) expect(await setup.tokensOf(ANN)).toEqual(all('42'));
    expect(setup.requests).toHaveLength(3);
    setup.now += 1;
    setup.poap.reply = () => held('43');
    const fresh = setup.tokensOf(ANN, FRESH);
    await waitFor(() => expect(setup.waiting()).toBe(1));
    await waitFor(async () => expect(await setup.tokensOf(ANN)).toEqual(all('43')));
    setup.passDeadline();
    expect(await fresh).toEqual(all('43'));
    expect(setup.requests).toHaveLength(6);
    open();
    await waitFor(async () => expect(await stored(setup.store, ANN)).toEqual(saved('43', NOW + 1)));
    expect(await setup.tokensOf(ANN)).toEqual(all('43'));
    expect(setup.requests).toHaveLength(6);
  });

  it('are stored before the response if fresh is requested', async () => {
    const lock = createLock();
    const open = lock.close();
    const setup = await setUp({ through: lock.through });
    setup.poap.reply = () => held('42');
    let answered = false;
    const answer = setup.tokensOf(ANN, FRESH).finally(() => {
      answered = true;
    });
    await waitFor(() => expect(lock.transactions).toBe(1));
    expect(answered).toBe(false);
    open();
    expect(await answer).toEqual(all('42'));
    expect(await stored(setup.store, ANN)).toEqual(saved('42', NOW));
  });

  it('use at most one connection for writes, however many accounts are queued', async () => {
    const lock = createLock();
    const open = lock.close();
    const setup = await setUp({ through: lock.through });
    await Promise.all([ANN, BOB].map((account) => setup.tokensOf(account)));
    open();
    for (const account of [ANN, BOB]) {
      await waitFor(async () => expect(await stored(setup.store, account)).toEqual(saved(null, NOW)));
    }
    expect([lock.transactions, lock.most]).toEqual([2, 1]);
  });
});

describe.each(anyEngine)('PoapBadgeSource.close on $name', (engine) => {
  const setUp = useBadgeSetup(engine);

  it('aborts requests, rejects their callers, and writes nothing afterwards', async () => {
    const lock = createLock();
    const setup = await setUp({ through: lock.through, concurrency: 2 });
    setup.poap.hold();
    const answer = expect(setup.tokensOf(ANN)).rejects.toMatchObject({ fault: { kind: 'unreachable' } });
    await put(
      setup.store,
      EVENTS.map((eventId) => row(BOB, eventId, '41', NOW - HELD_MS)),
    );
    expect(await setup.tokensOf(BOB)).toEqual(all('41'));
    await setup.badges.close();
    await answer;
    expect(lock.transactions).toBe(0);
    // Only the active requests, two of each urgency; queued ones were never sent.
    expect(setup.requests).toHaveLength(4);
    // An abort is not logged as a failure.
    expect([...setup.messages('warn'), ...setup.messages('error')]).toEqual([]);
  });

  it('ends the backoff of retries', async () => {
    const setup = await setUp();
    setup.holdsPauses = true;
    setup.poap.reply = byEvent({ [FIRST]: page(500) }, page(503, { 'retry-after': '60' }));
    const answer = expect(setup.tokensOf(ANN)).rejects.toMatchObject({ name: 'RemoteError' });
    await waitFor(() => expect(setup.pauses).toHaveLength(3));
    await setup.badges.close();
    await answer;
    expect(setup.requests).toHaveLength(3);
  });

  it('waits for the current transaction and starts no other', async () => {
    const lock = createLock();
    const open = lock.close();
    const setup = await setUp({ through: lock.through });
    await setup.tokensOf(ANN);
    await setup.tokensOf(BOB);
    await waitFor(() => expect(lock.running).toBe(1));
    const closed = setup.badges.close();
    open();
    await closed;
    expect([lock.transactions, lock.running]).toEqual([1, 0]);
    expect(await stored(setup.store, ANN)).toEqual(saved(null, NOW));
    expect(await stored(setup.store, BOB)).toEqual([]);
  });

  it('keeps serving stored badges without new requests', async () => {
    const setup = await setUp();
    await put(
      setup.store,
      EVENTS.map((eventId) => row(ANN, eventId, '41', NOW - HELD_MS)),
    );
    await setup.badges.close();
    expect(await setup.tokensOf(ANN)).toEqual(all('41'));
    await expect(setup.tokensOf(BOB)).rejects.toMatchObject({ fault: { kind: 'unreachable' } });
    expect(setup.requests).toEqual([]);
    await setup.badges.close();
  });
});
