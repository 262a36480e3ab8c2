import { describe, expect, it } from 'vitest';
import { parseBadge, writeBadges } from '../../src/badges/badge.ts';
import { anyEngine } from '../support/engines.ts';
import { waitFor } from '../support/wait-for.ts';
import {
  ANN,
  BOB,
  byEvent,
  EVENTS,
  HELD_MS,
  NOT_HELD_MS,
  NOW,
  put,
  row,
  stored,
  useBadgeSetup,
} from './badge-setup.ts';
import { badgeBody, body, held, notHeld, page } from './fake-poap.ts';

const [FIRST, SECOND, THIRD] = EVENTS;
const FRESH = { fresh: true };
const TIMEOUT = { name: 'RemoteError', fault: { kind: 'timeout' } };
const all = (token: string | null) => Object.fromEntries(EVENTS.map((eventId) => [eventId, token]));
const requests = (account: string) => EVENTS.map((eventId) => `${account}/${eventId}`);
const rows = (token: string | null, checkedAt: number) => EVENTS.map((id) => row(ANN, id, token, checkedAt));
const saved = (token: string | null, checkedAt: number) => EVENTS.map((id) => `${id} ${token} ${checkedAt}`);

describe.each(anyEngine)('badges that are not stored, on $name,', (engine) => {
  const setUp = useBadgeSetup(engine);

  it('are fetched, returned and stored, held or not', async () => {
    const setup = await setUp();
    setup.poap.reply = byEvent({ [SECOND]: held('42') }, notHeld);
    expect(await setup.tokensOf(ANN)).toEqual({ [FIRST]: null, [SECOND]: '42', [THIRD]: null });
    expect(setup.requests).toEqual(requests(ANN));
    const expected = [`${FIRST} null ${NOW}`, `${SECOND} 42 ${NOW}`, `${THIRD} null ${NOW}`];
    await waitFor(async () => expect(await stored(setup.store, ANN)).toEqual(expected));
  });

  it('throw on the deadline, never return not held, and are stored for the next request', async () => {
    const setup = await setUp();
    const release = setup.poap.hold();
    const answer = setup.tokensOf(ANN);
    await waitFor(() => expect(setup.waiting()).toBe(1));
    setup.passDeadline();
    await expect(answer).rejects.toMatchObject(TIMEOUT);
    expect(await stored(setup.store, ANN)).toEqual([]);
    setup.poap.reply = () => held('42');
    release();
    await waitFor(async () => expect(await stored(setup.store, ANN)).toEqual(saved('42', NOW)));
    expect(await setup.tokensOf(ANN)).toEqual(all('42'));
    expect(setup.requests).toEqual(requests(ANN));
  });

  it('throw if one of them is unknown, and store the others', async () => {
    const setup = await setUp();
    setup.poap.reply = byEvent({ [SECOND]: page(400) }, held('42'));
    await expect(setup.tokensOf(ANN)).rejects.toMatchObject({ name: 'RemoteError', fault: { status: 400 } });
    const expected = [`${FIRST} 42 ${NOW}`, `${THIRD} 42 ${NOW}`];
    await waitFor(async () => expect(await stored(setup.store, ANN)).toEqual(expected));
    setup.poap.reply = () => notHeld;
    expect(await setup.tokensOf(ANN)).toEqual({ ...all('42'), [SECOND]: null });
    expect(setup.requests).toEqual([...requests(ANN), `${ANN}/${SECOND}`]);
  });

  it('throw if POAP returns another event', async () => {
    const setup = await setUp();
    setup.poap.reply = () => body(200, badgeBody({ address: ANN, eventId: FIRST }));
    await expect(setup.tokensOf(ANN)).rejects.toMatchObject({ fault: { kind: 'malformed' } });
  });

  it('are fetched once by concurrent requests (single flight), fresh or not', async () => {
    const setup = await setUp();
    const release = setup.poap.hold();
    const answers = [false, true, false, true].map((fresh) => setup.tokensOf(ANN, { fresh }));
    await waitFor(() => expect(setup.waiting()).toBe(4));
    setup.poap.reply = () => held('42');
    release();
    expect(await Promise.all(answers)).toEqual(Array(4).fill(all('42')));
    expect(setup.requests).toEqual(requests(ANN));
  });

  it('are fetched concurrently with those of other accounts', async () => {
    const setup = await setUp();
    setup.poap.reply = ({ address }) => held(address === ANN ? '1' : '2');
    expect(await Promise.all([ANN, BOB].map((account) => setup.tokensOf(account)))).toEqual([all('1'), all('2')]);
    expect([...setup.requests].sort()).toEqual([...requests(ANN), ...requests(BOB)]);
  });
});

describe.each(anyEngine)('stored badges on $name', (engine) => {
  const setUp = useBadgeSetup(engine);

  it.each([
    ['held', '42', HELD_MS],
    ['not held', null, NOT_HELD_MS],
  ])('are returned without a request while fresh if they are %s', async (_, token, youngMs) => {
    const setup = await setUp();
    await put(setup.store, rows(token, NOW - youngMs + 1));
    expect(await setup.tokensOf(ANN)).toEqual(all(token));
    expect(setup.requests).toEqual([]);
    setup.now += 1;
    expect(await setup.tokensOf(ANN)).toEqual(all(token));
    expect(setup.requests).toEqual(requests(ANN));
  });

  it('are returned stale, and refreshed in the background', async () => {
    const setup = await setUp();
    await put(setup.store, rows('41', NOW - HELD_MS));
    const release = setup.poap.hold();
    // Three sequential calls while the first request is in progress.
    for (let i = 0; i < 3; i++) expect(await setup.tokensOf(ANN)).toEqual(all('41'));
    expect(setup.requests).toEqual(requests(ANN));
    setup.poap.reply = () => held('42');
    release();
    await waitFor(async () => expect(await setup.tokensOf(ANN)).toEqual(all('42')));
    await waitFor(async () => expect(await stored(setup.store, ANN)).toEqual(saved('42', NOW)));
    expect(setup.requests).toEqual(requests(ANN));
  });

  it('are fetched only if they are stale', async () => {
    const setup = await setUp();
    await put(setup.store, [
      row(ANN, FIRST, '41', NOW - HELD_MS),
      row(ANN, SECOND, null, NOW - NOT_HELD_MS),
      row(ANN, THIRD, '41', NOW - NOT_HELD_MS),
    ]);
    await setup.tokensOf(ANN);
    expect(setup.requests).toEqual([`${ANN}/${FIRST}`, `${ANN}/${SECOND}`]);
  });

  it('do not delay the response if they are stale and an unknown one is fetched', async () => {
    const setup = await setUp();
    await put(setup.store, [row(ANN, FIRST, '41', NOW - HELD_MS), row(ANN, SECOND, '41', NOW)]);
    const quiet = setup.poap.hold();
    const answer = setup.tokensOf(ANN);
    await waitFor(() => expect(setup.waiting()).toBe(1));
    setup.poap.reply = byEvent({ [FIRST]: () => undefined }, held('42'));
    quiet();
    expect(await answer).toEqual({ [FIRST]: '41', [SECOND]: '41', [THIRD]: '42' });
  });

  it('do not replace an unknown one', async () => {
    const setup = await setUp();
    await put(setup.store, [row(ANN, FIRST, '41', NOW), row(ANN, SECOND, '41', NOW)]);
    setup.poap.reply = () => page(400);
    await expect(setup.tokensOf(ANN)).rejects.toMatchObject({ fault: { status: 400 } });
    expect(setup.requests).toEqual([`${ANN}/${THIRD}`]);
  });

  it('from an import have the age of the import', async () => {
    const setup = await setUp();
    const imported = EVENTS.map((eventId) => parseBadge(badgeBody({ address: ANN, eventId }, '41'), NOW));
    await setup.store.transaction((tx) => writeBadges(tx, imported));
    setup.now += HELD_MS - 1;
    expect(await setup.tokensOf(ANN)).toEqual(all('41'));
    expect(setup.requests).toEqual([]);
  });
});

describe.each(anyEngine)('badges requested with fresh, on $name,', (engine) => {
  const setUp = useBadgeSetup(engine);

  it('are fetched even if the stored ones are fresh', async () => {
    const setup = await setUp();
    await put(setup.store, rows('41', NOW));
    setup.poap.reply = byEvent({ [FIRST]: notHeld }, held('42'));
    expect(await setup.tokensOf(ANN, FRESH)).toEqual({ ...all('42'), [FIRST]: null });
    expect(setup.requests).toEqual(requests(ANN));
  });

  it('join requests in progress, and fetch the rest', async () => {
    const setup = await setUp();
    await put(setup.store, rows('41', NOW));
    await put(setup.store, [row(ANN, SECOND, null, NOW - NOT_HELD_MS)]);
    const release = setup.poap.hold();
    await setup.tokensOf(ANN);
    const answer = setup.tokensOf(ANN, FRESH);
    await waitFor(() => expect(setup.waiting()).toBe(1));
    setup.poap.reply = () => held('42');
    release();
    expect(await answer).toEqual(all('42'));
    expect(setup.requests).toEqual([SECOND, FIRST, THIRD].map((eventId) => `${ANN}/${eventId}`));
  });

  it('are the stored ones on the deadline, and are stored when they arrive', async () => {
    const setup = await setUp();
    await put(setup.store, rows('41', NOW - 1));
    const release = setup.poap.hold();
    const answer = setup.tokensOf(ANN, FRESH);
    await waitFor(() => expect(setup.waiting()).toBe(1));
    setup.passDeadline();
    expect(await answer).toEqual(all('41'));
    setup.poap.reply = () => held('42');
    release();
    await waitFor(async () => expect(await stored(setup.store, ANN)).toEqual(saved('42', NOW)));
  });

  it('are the stored ones if POAP fails', async () => {
    const setup = await setUp();
    await put(setup.store, rows('41', NOW - 1));
    setup.poap.reply = byEvent({ [FIRST]: page(400) }, held('42'));
    expect(await setup.tokensOf(ANN, FRESH)).toEqual({ ...all('42'), [FIRST]: '41' });
    setup.poap.reply = () => page(400);
    await waitFor(async () => expect(await stored(setup.store, ANN)).toContain(`${SECOND} 42 ${NOW}`));
    expect(await setup.tokensOf(ANN, FRESH)).toEqual({ ...all('42'), [FIRST]: '41' });
  });

  it('throw if POAP fails or is late and one was never stored', async () => {
    const setup = await setUp();
    await put(setup.store, [row(ANN, FIRST, '41', NOW), row(ANN, SECOND, null, NOW)]);
    setup.poap.reply = () => page(400);
    await expect(setup.tokensOf(ANN, FRESH)).rejects.toMatchObject({ fault: { status: 400 } });
    setup.poap.hold();
    const answer = setup.tokensOf(ANN, FRESH);
    await waitFor(() => expect(setup.waiting()).toBe(1));
    setup.passDeadline();
    await expect(answer).rejects.toMatchObject(TIMEOUT);
  });
});
