import { describe, expect, it, vi } from 'vitest';
import { parseBadge, writeBadges } from '../../src/badges/badge.ts';
import { anyEngine } from '../support/engines.ts';
import { badgeBody, body, held, notHeld, page } from './fake-poap.ts';
import { ANN, BOB, byEvent, EVENTS, HELD_MS, NOT_HELD_MS, NOW, put, row, stored, useWorlds } from './world.ts';

const [FIRST, SECOND, THIRD] = EVENTS;
const FRESH = { fresh: true };
const TIMEOUT = { name: 'RemoteError', fault: { kind: 'timeout' } };
const all = (token: string | null) => Object.fromEntries(EVENTS.map((eventId) => [eventId, token]));
const requests = (account: string) => EVENTS.map((eventId) => `${account}/${eventId}`);
const rows = (token: string | null, checkedAt: number) => EVENTS.map((id) => row(ANN, id, token, checkedAt));
const saved = (token: string | null, checkedAt: number) => EVENTS.map((id) => `${id} ${token} ${checkedAt}`);

describe.each(anyEngine)('badges that are not stored, on $name,', (engine) => {
  const createWorld = useWorlds(engine);

  it('are fetched, returned and stored, held or not', async () => {
    const world = await createWorld();
    world.poap.reply = byEvent({ [SECOND]: held('42') }, notHeld);
    expect(await world.tokensOf(ANN)).toEqual({ [FIRST]: null, [SECOND]: '42', [THIRD]: null });
    expect(world.asked).toEqual(requests(ANN));
    const expected = [`${FIRST} null ${NOW}`, `${SECOND} 42 ${NOW}`, `${THIRD} null ${NOW}`];
    await vi.waitFor(async () => expect(await stored(world.store, ANN)).toEqual(expected));
  });

  it('throw on the deadline, never return not held, and are stored for the next request', async () => {
    const world = await createWorld();
    const release = world.poap.hold();
    const answer = world.tokensOf(ANN);
    await vi.waitFor(() => expect(world.waiting()).toBe(1));
    world.passDeadline();
    await expect(answer).rejects.toMatchObject(TIMEOUT);
    expect(await stored(world.store, ANN)).toEqual([]);
    world.poap.reply = () => held('42');
    release();
    await vi.waitFor(async () => expect(await stored(world.store, ANN)).toEqual(saved('42', NOW)));
    expect(await world.tokensOf(ANN)).toEqual(all('42'));
    expect(world.asked).toEqual(requests(ANN));
  });

  it('throw if one of them is unknown, and store the others', async () => {
    const world = await createWorld();
    world.poap.reply = byEvent({ [SECOND]: page(400) }, held('42'));
    await expect(world.tokensOf(ANN)).rejects.toMatchObject({ name: 'RemoteError', fault: { status: 400 } });
    const expected = [`${FIRST} 42 ${NOW}`, `${THIRD} 42 ${NOW}`];
    await vi.waitFor(async () => expect(await stored(world.store, ANN)).toEqual(expected));
    world.poap.reply = () => notHeld;
    expect(await world.tokensOf(ANN)).toEqual({ ...all('42'), [SECOND]: null });
    expect(world.asked).toEqual([...requests(ANN), `${ANN}/${SECOND}`]);
  });

  it('throw if POAP returns another event', async () => {
    const world = await createWorld();
    world.poap.reply = () => body(200, badgeBody({ address: ANN, eventId: FIRST }));
    await expect(world.tokensOf(ANN)).rejects.toMatchObject({ fault: { kind: 'malformed' } });
  });

  it('are fetched once by concurrent requests (single flight), fresh or not', async () => {
    const world = await createWorld();
    const release = world.poap.hold();
    const answers = [false, true, false, true].map((fresh) => world.tokensOf(ANN, { fresh }));
    await vi.waitFor(() => expect(world.waiting()).toBe(4));
    world.poap.reply = () => held('42');
    release();
    expect(await Promise.all(answers)).toEqual(Array(4).fill(all('42')));
    expect(world.asked).toEqual(requests(ANN));
  });

  it('are fetched concurrently with those of other accounts', async () => {
    const world = await createWorld();
    world.poap.reply = ({ address }) => held(address === ANN ? '1' : '2');
    expect(await Promise.all([ANN, BOB].map((account) => world.tokensOf(account)))).toEqual([all('1'), all('2')]);
    expect([...world.asked].sort()).toEqual([...requests(ANN), ...requests(BOB)]);
  });
});

describe.each(anyEngine)('stored badges on $name', (engine) => {
  const createWorld = useWorlds(engine);

  it.each([
    ['held', '42', HELD_MS],
    ['not held', null, NOT_HELD_MS],
  ])('are returned without a request while fresh if they are %s', async (_, token, youngMs) => {
    const world = await createWorld();
    await put(world.store, rows(token, NOW - youngMs + 1));
    expect(await world.tokensOf(ANN)).toEqual(all(token));
    expect(world.asked).toEqual([]);
    world.now += 1;
    expect(await world.tokensOf(ANN)).toEqual(all(token));
    expect(world.asked).toEqual(requests(ANN));
  });

  it('are returned stale, and refreshed in the background', async () => {
    const world = await createWorld();
    await put(world.store, rows('41', NOW - HELD_MS));
    const release = world.poap.hold();
    // Three sequential calls while the first request is in progress.
    for (let i = 0; i < 3; i++) expect(await world.tokensOf(ANN)).toEqual(all('41'));
    expect(world.asked).toEqual(requests(ANN));
    world.poap.reply = () => held('42');
    release();
    await vi.waitFor(async () => expect(await world.tokensOf(ANN)).toEqual(all('42')));
    await vi.waitFor(async () => expect(await stored(world.store, ANN)).toEqual(saved('42', NOW)));
    expect(world.asked).toEqual(requests(ANN));
  });

  it('are fetched only if they are stale', async () => {
    const world = await createWorld();
    await put(world.store, [
      row(ANN, FIRST, '41', NOW - HELD_MS),
      row(ANN, SECOND, null, NOW - NOT_HELD_MS),
      row(ANN, THIRD, '41', NOW - NOT_HELD_MS),
    ]);
    await world.tokensOf(ANN);
    expect(world.asked).toEqual([`${ANN}/${FIRST}`, `${ANN}/${SECOND}`]);
  });

  it('do not delay the response if they are stale and an unknown one is fetched', async () => {
    const world = await createWorld();
    await put(world.store, [row(ANN, FIRST, '41', NOW - HELD_MS), row(ANN, SECOND, '41', NOW)]);
    const quiet = world.poap.hold();
    const answer = world.tokensOf(ANN);
    await vi.waitFor(() => expect(world.waiting()).toBe(1));
    world.poap.reply = byEvent({ [FIRST]: () => undefined }, held('42'));
    quiet();
    expect(await answer).toEqual({ [FIRST]: '41', [SECOND]: '41', [THIRD]: '42' });
  });

  it('do not replace an unknown one', async () => {
    const world = await createWorld();
    await put(world.store, [row(ANN, FIRST, '41', NOW), row(ANN, SECOND, '41', NOW)]);
    world.poap.reply = () => page(400);
    await expect(world.tokensOf(ANN)).rejects.toMatchObject({ fault: { status: 400 } });
    expect(world.asked).toEqual([`${ANN}/${THIRD}`]);
  });

  it('from an import have the age of the import', async () => {
    const world = await createWorld();
    const imported = EVENTS.map((eventId) => parseBadge(badgeBody({ address: ANN, eventId }, '41'), NOW));
    await world.store.transaction((tx) => writeBadges(tx, imported));
    world.now += HELD_MS - 1;
    expect(await world.tokensOf(ANN)).toEqual(all('41'));
    expect(world.asked).toEqual([]);
  });
});

describe.each(anyEngine)('badges requested with fresh, on $name,', (engine) => {
  const createWorld = useWorlds(engine);

  it('are fetched even if the stored ones are fresh', async () => {
    const world = await createWorld();
    await put(world.store, rows('41', NOW));
    world.poap.reply = byEvent({ [FIRST]: notHeld }, held('42'));
    expect(await world.tokensOf(ANN, FRESH)).toEqual({ ...all('42'), [FIRST]: null });
    expect(world.asked).toEqual(requests(ANN));
  });

  it('join requests in progress, and fetch the rest', async () => {
    const world = await createWorld();
    await put(world.store, rows('41', NOW));
    await put(world.store, [row(ANN, SECOND, null, NOW - NOT_HELD_MS)]);
    const release = world.poap.hold();
    await world.tokensOf(ANN);
    const answer = world.tokensOf(ANN, FRESH);
    await vi.waitFor(() => expect(world.waiting()).toBe(1));
    world.poap.reply = () => held('42');
    release();
    expect(await answer).toEqual(all('42'));
    expect(world.asked).toEqual([SECOND, FIRST, THIRD].map((eventId) => `${ANN}/${eventId}`));
  });

  it('are the stored ones on the deadline, and are stored when they arrive', async () => {
    const world = await createWorld();
    await put(world.store, rows('41', NOW - 1));
    const release = world.poap.hold();
    const answer = world.tokensOf(ANN, FRESH);
    await vi.waitFor(() => expect(world.waiting()).toBe(1));
    world.passDeadline();
    expect(await answer).toEqual(all('41'));
    world.poap.reply = () => held('42');
    release();
    await vi.waitFor(async () => expect(await stored(world.store, ANN)).toEqual(saved('42', NOW)));
  });

  it('are the stored ones if POAP fails', async () => {
    const world = await createWorld();
    await put(world.store, rows('41', NOW - 1));
    world.poap.reply = byEvent({ [FIRST]: page(400) }, held('42'));
    expect(await world.tokensOf(ANN, FRESH)).toEqual({ ...all('42'), [FIRST]: '41' });
    world.poap.reply = () => page(400);
    await vi.waitFor(async () => expect(await stored(world.store, ANN)).toContain(`${SECOND} 42 ${NOW}`));
    expect(await world.tokensOf(ANN, FRESH)).toEqual({ ...all('42'), [FIRST]: '41' });
  });

  it('throw if POAP fails or is late and one was never stored', async () => {
    const world = await createWorld();
    await put(world.store, [row(ANN, FIRST, '41', NOW), row(ANN, SECOND, null, NOW)]);
    world.poap.reply = () => page(400);
    await expect(world.tokensOf(ANN, FRESH)).rejects.toMatchObject({ fault: { status: 400 } });
    world.poap.hold();
    const answer = world.tokensOf(ANN, FRESH);
    await vi.waitFor(() => expect(world.waiting()).toBe(1));
    world.passDeadline();
    await expect(answer).rejects.toMatchObject(TIMEOUT);
  });
});
