import { getAddress } from 'viem';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ANN, BOB } from '../model/small-history.ts';
import { anyEngine } from '../support/engines.ts';
import { loadProfiles } from '../support/load.ts';
import type { Service } from '../support/service.ts';
import { type Live, LiveStage } from './live-stage.ts';

const followers = '/users/ann.eth/followers';
/** However busy the machine is. */
const WAIT = { timeout: 15_000 };
const FRESH = '?cache=fresh';

describe.each(anyEngine)('a name that was told, on $name', (engine) => {
  const stage = new LiveStage(engine);
  let live: Live;
  let service: Service;
  beforeEach(async () => {
    live = await stage.open();
    service = await live.serve();
  });
  afterEach(() => stage.close());

  /** Ann and Bob follow each other: the follower of the one is the other. */
  const followerOf = async (path: string, by = service) => (await by.get(path)).json.followers?.[0]?.address;
  const refuse = () => {
    live.enstate.faultOf = () => (response) => response.writeHead(500).end();
  };
  /** Has the name lead to an account that does not call itself so. */
  const lead = (account: string) => {
    live.enstate.addProfile('ann.eth', { address: getAddress(account) });
  };

  it('is told on, while that stands, though the source has failed to tell it afresh', async () => {
    lead(ANN);
    await service.get(followers);
    refuse();
    expect(await followerOf(`${followers}${FRESH}`)).toBe(BOB);
    expect(await followerOf(`${followers}?limit=2`)).toBe(BOB);
  });

  it('is not told on for longer than it stands', async () => {
    lead(ANN);
    await service.get(followers);
    refuse();
    live.now += 61_000;
    expect((await service.get(followers)).status).toBe(503);
  });

  it('is not taken back by an answer that was asked for before', async () => {
    let answerLate: (() => void) | undefined;
    live.enstate.faultOf = () => (response) => {
      answerLate = () => response.writeHead(200).end(JSON.stringify({ name: 'ann.eth', address: getAddress(ANN) }));
    };
    const early = service.get(followers);
    await vi.waitFor(() => expect(answerLate).toBeDefined(), WAIT);
    live.enstate.faultOf = () => undefined;
    live.now += 10;
    lead(BOB);
    expect(await followerOf(`${followers}${FRESH}`)).toBe(ANN);
    answerLate?.();
    await early;
    expect(await followerOf(`${followers}?limit=2`)).toBe(ANN);
  });

  it('is waited for once when the source does not answer, though it is to be fresh', async () => {
    live.enstate.faultOf = () => () => undefined;
    const hasty = await live.serve({ deadlineMs: 100 });
    expect((await hasty.get(`${followers}${FRESH}`)).status).toBe(503);
    expect(live.enstate.asked).toHaveLength(1);
  });

  describe('by the profile of its former holder', () => {
    beforeEach(() => loadProfiles(live.store, [{ address: ANN, name: 'ann.eth', fresh: live.now - 1_000 }]));

    it('leads to its new one, for every service, once it is to be fresh', async () => {
      const other = await live.serve();
      expect(await followerOf(followers, other)).toBe(BOB);
      lead(BOB);
      expect(await followerOf(`${followers}${FRESH}`)).toBe(ANN);
      expect(await followerOf(followers)).toBe(ANN);
      await vi.waitFor(async () => expect(await followerOf(followers, other)).toBe(ANN), WAIT);
    });

    it('leads nowhere, for every service, once it is to be fresh and nobody holds it', async () => {
      const other = await live.serve();
      expect((await service.get(`${followers}${FRESH}`)).status).toBe(404);
      await vi.waitFor(async () => expect((await other.get(followers)).status).toBe(404), WAIT);
    });

    it('leads to its new one though the former one cannot be asked about', async () => {
      lead(BOB);
      live.enstate.faultOf = ({ queries }) =>
        queries.includes(ANN) ? (response) => response.writeHead(500).end() : undefined;
      expect(await followerOf(`${followers}${FRESH}`)).toBe(ANN);
      expect(await followerOf(`${followers}?limit=2`)).toBe(ANN);
    });
  });
});
