import { type Hex, numberToHex } from 'viem';
import { describe, expect, it } from 'vitest';
import { listMetadata, listOp, opBytes, placeLog, transfer, word } from './encode-log.ts';
import { ZERO_ADDRESS } from './mainnet.ts';
import { commonFollowers, discover, graphStats, recommended, recommendedDetails } from './naive-discovery.ts';
import { type RankedQuery, ranked } from './naive-leaderboard.ts';
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
  modelOf,
  START,
  tag,
  unfollow,
} from './small-history.ts';

const lists = [...annsList, ...bobsList, ...catsList];
const EVE: Hex = `0x${'e'.repeat(40)}`;
const addressOf = (number: number) => numberToHex(number, { size: 20 });
const later = (blockNumber: number) => ({ blockNumber, blockHash: word(9n), time: START + 9000, logIndex: 0 });
const discovered = (view: NaiveView, page = {}) => discover(view, page).latestFollows.map((card) => card.address);
const recommendedTo = (view: NaiveView, account: string) =>
  recommended(view, account, { limit: 1000 }).recommended.map((card) => card.address);

describe('the ranked leaderboard of the model', () => {
  // Followers: Ann 2, Bob 1, Cat 0, Dan 0. Mutuals: Ann and Bob 1. Cat blocks Dan.
  const model = modelOf(
    ...[...lists, follow(ANNS, BOB), follow(BOBS, ANN), follow(CATS, ANN), tag(CATS, ANN, 'top8')],
    ...[follow(CATS, DAN), tag(CATS, DAN, 'block')],
  );
  const order = (query: RankedQuery) => ranked(model.view(), query).map(({ address }) => address);

  it('is sorted by the count in either direction, with zeros last and ties by address', () => {
    expect(order({})).toEqual([ANN, BOB, CAT, DAN]);
    expect(order({ sort: 'followers' })).toEqual([ANN, BOB, CAT, DAN]);
    expect(order({ sort: 'followers', direction: 'asc' })).toEqual([BOB, ANN, CAT, DAN]);
    expect(order({ sort: 'mutuals', direction: 'asc' })).toEqual([ANN, BOB, CAT, DAN]);
    expect(order({ sort: 'following' })).toEqual([ANN, BOB, CAT, DAN]);
    expect(order({ sort: 'blocked' })).toEqual([DAN, ANN, BOB, CAT]);
    expect(order({ sort: 'blocks', direction: 'asc' })).toEqual([DAN, ANN, BOB, CAT]);
    expect(order({ sort: 'top8', limit: 2, offset: 1 })).toEqual([BOB, CAT]);
  });

  it('has the counts and ranks of the last ranking and the present header', () => {
    model.setProfile(ANN, { name: 'ann.eth', avatar: 'https://avatar', header: 'https://header' });
    model.add(placeLog(unfollow(CATS, ANN), later(2000)));
    expect(ranked(model.view(), { limit: 1 })).toEqual([
      {
        address: ANN,
        name: 'ann.eth',
        avatar: 'https://avatar',
        header: 'https://header',
        mutuals_rank: '1',
        followers_rank: '1',
        following_rank: '1',
        blocks_rank: '2',
        top8_rank: '1',
        mutuals: '1',
        following: '1',
        followers: '2',
        blocks: '0',
        top8: '1',
      },
    ]);
  });
});

describe('the stats of the graph', () => {
  it('count addresses in present records of any slot, lists, valid ops and receivers of mints', () => {
    const model = modelOf(
      ...annsList,
      ...[follow(ANNS, BOB), follow(BOBS, BOB), follow(CATS, ANN), unfollow(CATS, ANN), tag(CATS, DAN, 'x')],
      ...[follow(ANNS, ANN), listOp(ANNS, opBytes(9, DAN)), listMetadata(CATS, 'manager', DAN)],
      // List 5 is minted twice, by Bob and by Dan; Cat receives an existing list.
      ...[transfer(ZERO_ADDRESS, BOB, 5n), transfer(BOB, CAT, 5n), transfer(CAT, ZERO_ADDRESS, 5n)],
      ...[transfer(ZERO_ADDRESS, DAN, 5n), transfer(ZERO_ADDRESS, CAT, 5n), transfer(ANN, ZERO_ADDRESS, 6n)],
    );
    expect(graphStats(model.view())).toEqual({
      stats: { address_count: '2', list_count: '2', list_op_count: '6', user_count: '3' },
    });
    expect(Object.keys(graphStats(model.view()).stats)).toEqual([
      'address_count',
      'list_count',
      'list_op_count',
      'user_count',
    ]);
  });
});

describe('discovery in the model', () => {
  it('has accounts that were followed last, each once, with exact counts', () => {
    const model = modelOf(...lists, follow(BOBS, ANN), follow(ANNS, CAT), follow(CATS, ANN), follow(CATS, BOB));
    model.add(placeLog(tag(CATS, BOB, 'block'), later(2000)));
    expect(discover(model.view())).toEqual({
      latestFollows: [
        { address: ANN, name: '', avatar: '', header: '', followers: '2', following: '1' },
        { address: CAT, name: '', avatar: '', header: '', followers: '1', following: '1' },
      ],
    });
    expect(discover(model.view(), { limit: 1, offset: 1 }).latestFollows.map(({ address }) => address)).toEqual([CAT]);
  });

  it('sorts edges of one time by the followed address', () => {
    const model = modelOf(...lists);
    for (const [i, record] of [DAN, BOB, CAT].entries()) model.add(placeLog(follow(ANNS, record), later(2000 + i)));
    expect(discovered(model.view())).toEqual([BOB, CAT, DAN]);
  });

  it('looks back over 1,000 follow edges', () => {
    const many = Array.from({ length: 999 }, (_, i) => follow(ANNS, addressOf(i + 1)));
    const view = modelOf(...lists, follow(ANNS, DAN), follow(BOBS, CAT), ...many).view();
    // Cat was followed by the 1,000th edge from the end, Dan by the one before it.
    expect(discovered(view, { limit: 1000, offset: 998 })).toEqual([addressOf(1), CAT]);
  });
});

describe('recommendations of the model', () => {
  it('are accounts that followed accounts follow, by votes, then followers, then address', () => {
    const model = modelOf(
      ...[...lists, follow(ANNS, BOB), follow(ANNS, CAT), follow(BOBS, ANN), follow(BOBS, CAT)],
      ...[follow(BOBS, addressOf(1)), follow(BOBS, DAN), follow(CATS, DAN), follow(CATS, addressOf(2))],
    );
    expect(recommendedTo(model.view(), ANN)).toEqual([DAN, addressOf(1), addressOf(2)]);
    expect(recommended(model.view(), ANN, { limit: 1 })).toEqual({
      recommended: [{ address: DAN, name: '', avatar: '', header: '' }],
    });
  });

  it('leave out what the slot holds in any relation, and do not come through blocks', () => {
    const follows = [
      follow(ANNS, BOB),
      follow(BOBS, DAN),
      follow(BOBS, EVE),
      follow(ANNS, CAT),
      follow(CATS, addressOf(1)),
    ];
    const model = modelOf(...lists, ...follows, follow(ANNS, DAN), tag(ANNS, DAN, 'mute'), tag(ANNS, CAT, 'block'));
    expect(recommendedTo(model.view(), ANN)).toEqual([EVE]);
  });

  it('are the leaderboard by followers if there is no candidate', () => {
    const model = modelOf(...lists, follow(ANNS, BOB), follow(CATS, BOB), follow(CATS, DAN));
    // Cat has no followers but is on the leaderboard; Bob is held by Ann.
    expect(recommendedTo(model.view(), ANN)).toEqual([DAN, CAT]);
    expect(recommendedTo(model.view(), EVE)).toEqual([BOB, DAN, ANN, CAT]);
    expect(recommended(modelOf(...lists).view(), ANN)).toEqual({ recommended: [] });
  });

  it('look at the newest 100 follows of the account and of each account that it follows', () => {
    const many = (slot: typeof ANNS) => Array.from({ length: 99 }, (_, i) => follow(slot, addressOf(i + 1)));
    const far = modelOf(
      ...lists,
      follow(ANNS, CAT),
      follow(ANNS, BOB),
      ...many(ANNS),
      follow(BOBS, DAN),
      follow(CATS, EVE),
    );
    expect(recommendedTo(far.view(), ANN)).toEqual([DAN]);
    const deep = modelOf(...lists, follow(ANNS, BOB), follow(BOBS, EVE), follow(BOBS, DAN), ...many(BOBS));
    expect(recommendedTo(deep.view(), ANN)).toHaveLength(100);
    expect(recommendedTo(deep.view(), ANN)).not.toContain(EVE);
  });

  it('have exact stats and the ranks of the last ranking in their details', () => {
    const model = modelOf(...lists, follow(ANNS, BOB), follow(BOBS, CAT));
    model.add(placeLog(follow(CATS, DAN), later(2000)));
    expect(recommendedDetails(model.view(), ANN)).toEqual({
      recommended: [
        {
          address: CAT,
          ens: expect.objectContaining({ display: '0xcccc…cccc' }),
          stats: { followers_count: 1, following_count: 1 },
          ranks: { mutuals_rank: '1', followers_rank: '1', following_rank: '3', top8_rank: '1', blocks_rank: '1' },
        },
      ],
    });
  });
});

describe('common followers of the model', () => {
  const model = modelOf(
    ...[...lists, follow(ANNS, BOB), follow(ANNS, CAT), follow(BOBS, DAN), follow(CATS, DAN), follow(CATS, ANN)],
  );

  it('are accounts that the account follows and that follow the leader, by mutuals', () => {
    const card = { name: '', avatar: '', header: '' };
    expect(commonFollowers(model.view(), ANN, DAN)).toEqual({
      results: [
        { address: CAT, ...card, mutuals_rank: '1' },
        { address: BOB, ...card, mutuals_rank: '3' },
      ],
      length: 2,
    });
    const { results, length } = commonFollowers(model.view(), ANN, DAN, { limit: 1, offset: 1 });
    expect([results.map(({ address }) => address), length]).toEqual([[BOB], 2]);
    expect(commonFollowers(model.view(), ANN, ANN).results.map(({ address }) => address)).toEqual([CAT]);
  });

  it('that are not on the leaderboard come last with rank 0', () => {
    const early = modelOf(...lists, follow(ANNS, CAT));
    early.add(placeLog(follow(ANNS, BOB), later(2000)));
    early.add(placeLog(follow(CATS, DAN), later(2000)));
    early.add(placeLog(follow(BOBS, DAN), later(2001)));
    const { results } = commonFollowers(early.view(), ANN, DAN);
    expect(results.map((row) => [row.address, row.mutuals_rank])).toEqual([
      [CAT, '1'],
      [BOB, '0'],
    ]);
  });
});
