import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Address } from '../../src/protocol/hex.ts';
import { ANN, BOB } from '../model/small-history.ts';
import { anyEngine, engines } from '../support/engines.ts';
import { loadProfiles } from '../support/load.ts';
import type { Service } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { type Live, LiveFixture } from './live-fixture.ts';

const followers = '/users/ann.eth/followers';
const FRESH = '?cache=fresh';

describe.each(anyEngine)('a resolved name on $name', (engine) => {
  const fixture = new LiveFixture(engine);
  let live: Live;
  let service: Service;
  beforeEach(async () => {
    live = await fixture.open();
    service = await live.serve();
  });
  afterEach(() => fixture.close());

  /** Ann and Bob follow each other: the follower of the one is the other. */
  const followerOf = async (path: string, by = service) => (await by.get(path)).json.followers?.[0]?.address;
  const refuse = () => {
    live.node.faultOf = () => 'error';
  };
  /** Points the name at an account whose profile does not have it. */
  const lead = (account: Address) => live.node.addForward('ann.eth', account);

  it('stays resolved until it expires when a request with cache=fresh fails', async () => {
    lead(ANN);
    await service.get(followers);
    refuse();
    expect(await followerOf(`${followers}${FRESH}`)).toBe(BOB);
    expect(await followerOf(`${followers}?limit=2`)).toBe(BOB);
  });

  it('keeps its last resolution during an outage, also after that has expired', async () => {
    lead(ANN);
    await service.get(followers);
    refuse();
    live.now += 61_000;
    expect(await followerOf(followers)).toBe(BOB);
    expect(await followerOf(`${followers}${FRESH}`)).toBe(BOB);
  });

  it('is not overwritten by the late response to an earlier request', async () => {
    let answerLate: (() => void) | undefined;
    lead(ANN);
    live.node.faultOf = () => (send) => {
      answerLate = send;
    };
    const early = service.get(followers);
    await waitFor(() => expect(answerLate).toBeDefined());
    live.node.faultOf = () => undefined;
    live.now += 10;
    lead(BOB);
    expect(await followerOf(`${followers}${FRESH}`)).toBe(ANN);
    answerLate?.();
    await early;
    expect(await followerOf(`${followers}?limit=2`)).toBe(ANN);
  });

  it('is requested once for cache=fresh when the source does not respond', async () => {
    live.node.faultOf = () => 'hang';
    const hasty = await live.serve({ deadlineMs: 1_000 });
    expect((await hasty.get(`${followers}${FRESH}`)).status).toBe(503);
    expect(live.node.requests).toHaveLength(1);
  });

  it('is asked of the source once for cache=fresh, and read once from the database', async () => {
    lead(ANN);
    const reads: string[] = [];
    const { reader } = live.store;
    const all = (async (statement, params) => {
      if ('name' in params) reads.push(String(params.name));
      return reader.all(statement, params);
    }) as typeof reader.all;
    const counted = await live.serve({}, { ...live.store, reader: { ...reader, all } });
    expect(await followerOf(`${followers}${FRESH}`, counted)).toBe(BOB);
    expect(live.node.requests.filter(({ query }) => query === 'ann.eth')).toHaveLength(1);
    // The holder in a stored profile, and what another process has resolved.
    expect(reads).toEqual(['ann.eth', 'ann.eth']);
  });

  describe('stored in the profile of its former holder', () => {
    beforeEach(() => loadProfiles(live.store, [{ address: ANN, name: 'ann.eth', fresh: live.now - 1_000 }]));

    it('resolves to its new holder in every process after cache=fresh', async () => {
      const other = await live.serve();
      expect(await followerOf(followers, other)).toBe(BOB);
      lead(BOB);
      expect(await followerOf(`${followers}${FRESH}`)).toBe(ANN);
      expect(await followerOf(followers)).toBe(ANN);
      await waitFor(async () => expect(await followerOf(followers, other)).toBe(ANN));
    });

    it('returns 404 in every process after cache=fresh if it has no holder any more', async () => {
      const other = await live.serve();
      expect((await service.get(`${followers}${FRESH}`)).status).toBe(404);
      await waitFor(async () => expect((await other.get(followers)).status).toBe(404));
    });

    it('resolves to its new holder even if the profile of the former one cannot be fetched', async () => {
      lead(BOB);
      live.node.faultOf = ({ query }) => (query === ANN ? 'error' : undefined);
      expect(await followerOf(`${followers}${FRESH}`)).toBe(ANN);
      expect(await followerOf(`${followers}?limit=2`)).toBe(ANN);
      live.now += 61_000;
      expect(await followerOf(`${followers}?limit=3`)).toBe(ANN);
      refuse();
      live.now += 61_000;
      expect(await followerOf(`${followers}?limit=4`)).toBe(ANN);
    });
  });
});

describe.each(engines)('a name that no profile holds on $name', (engine) => {
  const fixture = new LiveFixture(engine);
  let live: Live;
  /** As two processes. */
  let one: Service;
  let other: Service;
  beforeEach(async () => {
    live = await fixture.open();
    [one, other] = [await live.serve(), await live.serve()];
  });
  afterEach(() => fixture.close());

  const holderIn = async (service: Service) => (await service.get('/users/forward.eth/account')).json.address;
  const refresh = () => one.get(`/users/forward.eth/account${FRESH}`);

  it('resolves to its new holder in every process after cache=fresh', async () => {
    live.node.addForward('forward.eth', ANN);
    expect([await holderIn(one), await holderIn(other)]).toEqual([ANN, ANN]);
    live.node.addForward('forward.eth', BOB);
    live.now += 100;
    await refresh();
    await waitFor(async () => expect([await holderIn(one), await holderIn(other)]).toEqual([BOB, BOB]));
  });

  it('is found in every process after cache=fresh if it was unknown, and after a minute asked for again', async () => {
    expect([await holderIn(one), await holderIn(other)]).toEqual([undefined, undefined]);
    live.node.addForward('forward.eth', ANN);
    live.now += 100;
    await refresh();
    await waitFor(async () => expect([await holderIn(one), await holderIn(other)]).toEqual([ANN, ANN]));
    live.node.addForward('forward.eth', BOB);
    live.now += 61_000;
    expect([await holderIn(one), await holderIn(other)]).toEqual([BOB, BOB]);
  });
});
