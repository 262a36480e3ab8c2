import { type Hex, numberToHex, stringToHex } from 'viem';
import { describe, expect, it } from 'vitest';
import { opBytes, transfer } from './encode-log.ts';
import { ZERO_ADDRESS } from './mainnet.ts';
import { discover, recommended } from './naive-discovery.ts';
import { NaiveModel } from './naive-model.ts';
import type { NaiveView } from './naive-view.ts';
import {
  ANN,
  ANNS,
  annsList,
  BOB,
  BOBS,
  bobsList,
  CAT,
  CATS,
  catsList,
  DAN,
  follow,
  logsOf,
  modelOf,
  START,
  tag,
  unfollow,
  untag,
} from './small-history.ts';

// Few cases, with literal answers: test/property compares the service with the model in everything else.

/** Twelve logs: the time of the next one is START + 120. */
const lists = [...annsList, ...bobsList, ...catsList];
const iso = (seconds: number) => new Date((START + seconds) * 1000).toISOString();
const EVE: Hex = `0x${'e'.repeat(40)}`;
const addressOf = (number: number) => numberToHex(number, { size: 20 });
const followersOf = (model: NaiveModel, address: Hex) => model.followers(address).followers.map((row) => row.address);

describe('the model', () => {
  const bodies = [...lists, follow(ANNS, DAN), follow(BOBS, DAN), unfollow(ANNS, DAN)];

  it('counts each log once, in any order', () => {
    const model = new NaiveModel();
    for (const log of [...logsOf(bodies).reverse(), ...logsOf(bodies)]) model.add(log);
    expect(followersOf(model, DAN)).toEqual([BOB]);
    expect(model.notifications(DAN, { start: START + 1000 }).summary.total).toBe(3);
  });

  it('removes the logs of one chain above a block', () => {
    const model = modelOf(...bodies);
    model.remove(8453, 1013);
    expect(followersOf(model, DAN)).toEqual([BOB, ANN]);
    model.remove(10, 1012);
    expect(followersOf(model, DAN)).toEqual([ANN]);
  });

  it('returns all accounts and lists', () => {
    expect(modelOf(...bodies, transfer(CAT, ZERO_ADDRESS, 3n)).accounts()).toEqual([ANN, BOB, CAT, DAN]);
    expect(modelOf(...bodies).lists()).toEqual(['0', '2', '3']);
  });

  it('answers with followers, their list, sorted tags, the reverse relation and the time of the last change', () => {
    const model = modelOf(...lists, follow(BOBS, ANN), tag(BOBS, ANN, 'z'), tag(BOBS, ANN, 'Top8'), follow(ANNS, BOB));
    const relation = { is_following: true, is_blocked: false, is_muted: false };
    expect(model.followers(ANN)).toEqual({
      followers: [
        {
          svc_list_nft_token_id: '2',
          efp_list_nft_token_id: '2',
          address: BOB,
          tags: ['top8', 'z'],
          ...relation,
          updated_at: iso(140),
        },
      ],
    });
  });

  it('answers with all ops of other accounts as notifications, newest first, even those that changed nothing', () => {
    const ops = [follow(BOBS, ANN), follow(BOBS, ANN), tag(CATS, ANN, 'Friend'), untag(CATS, ANN, 'no')];
    const model = modelOf(...lists, ...ops, unfollow(BOBS, ANN), follow(ANNS, ANN));
    const { summary, notifications } = model.notifications(ANN, { start: START + 1000 });
    expect(summary).toEqual({
      interval: '168:00:00(hrs)',
      opcode: 'all',
      total: 5,
      total_follows: 2,
      total_unfollows: 1,
      total_tags: 1,
      total_untags: 1,
    });
    expect(notifications.map(({ action }) => action)).toEqual(['unfollow', 'untag', 'tag', 'follow', 'follow']);
    const op = opBytes(3, ANN, stringToHex('Friend'));
    expect(notifications[2]).toMatchObject({ address: CAT, name: '', avatar: '', op, tag: 'friend' });
  });

  it('ranks an account by 1 plus the number of members with a greater count', () => {
    // Ann and Bob follow each other, Cat follows Ann with top8 and blocks Dan, who has no followers.
    const model = modelOf(
      ...[...lists, follow(ANNS, BOB), follow(BOBS, ANN), follow(CATS, ANN), tag(CATS, ANN, 'top8')],
      ...[follow(CATS, DAN), tag(CATS, DAN, 'block'), tag(CATS, BOB, 'top8')],
    );
    // Mutuals, followers, following, top8, blocks.
    expect([ANN, BOB, CAT, DAN].map((address) => Object.values(model.ranks(address)).join(' '))).toEqual([
      '1 1 1 1 2',
      '1 2 1 2 2',
      '3 3 1 2 2',
      '3 3 4 2 1',
    ]);
  });
});

// Random histories are shorter than these limits.
describe('the limits of the model', () => {
  it('are 1,000 follow edges for what was followed last', () => {
    const many = Array.from({ length: 999 }, (_, i) => follow(ANNS, addressOf(i + 1)));
    const view = modelOf(...lists, follow(ANNS, DAN), follow(BOBS, CAT), ...many).view();
    // Cat was followed by the 1,000th edge from the end, Dan by the one before it.
    const { latestFollows } = discover(view, { limit: 1000, offset: 998 });
    expect(latestFollows.map(({ address }) => address)).toEqual([addressOf(1), CAT]);
  });

  it('are the newest 100 follows of the account, and of each account that it follows, for recommendations', () => {
    const recommendedTo = (view: NaiveView) =>
      recommended(view, ANN, { limit: 1000 }).recommended.map(({ address }) => address);
    const many = (slot: typeof ANNS) => Array.from({ length: 99 }, (_, i) => follow(slot, addressOf(i + 1)));
    const wide = [follow(ANNS, CAT), follow(ANNS, BOB), ...many(ANNS), follow(BOBS, DAN), follow(CATS, EVE)];
    expect(recommendedTo(modelOf(...lists, ...wide).view())).toEqual([DAN]);
    const deep = [follow(ANNS, BOB), follow(BOBS, EVE), follow(BOBS, DAN), ...many(BOBS)];
    expect(recommendedTo(modelOf(...lists, ...deep).view())).toHaveLength(100);
    expect(recommendedTo(modelOf(...lists, ...deep).view())).not.toContain(EVE);
  });
});
