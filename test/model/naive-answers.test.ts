import { stringToHex } from 'viem';
import { describe, expect, it } from 'vitest';
import { listMetadata, listOp, opBytes, placeLog, word } from './encode-log.ts';
import type { NaiveModel } from './naive-model.ts';
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
  untag,
} from './small-history.ts';

/** Twelve logs: the time of the next one is START + 120. */
const lists = [...annsList, ...bobsList, ...catsList];
const iso = (seconds: number) => new Date((START + seconds) * 1000).toISOString();

describe('followers of the model', () => {
  const addresses = (model: NaiveModel, query?: Parameters<NaiveModel['followers']>[1]) =>
    model.followers(ANN, query).followers.map((row) => row.address);

  it('have list, sorted tags, reverse relation and time', () => {
    const model = modelOf(...lists, follow(BOBS, ANN), tag(BOBS, ANN, 'z'), tag(BOBS, ANN, 'Top8'), follow(ANNS, BOB));
    expect(model.followers(ANN)).toEqual({
      followers: [
        {
          svc_list_nft_token_id: '2',
          address: BOB,
          tags: ['top8', 'z'],
          is_following: true,
          is_blocked: false,
          is_muted: false,
          updated_at: iso(140),
        },
      ],
    });
  });

  it('are accounts with a follow edge, not a block or a mute', () => {
    const follows = [follow(BOBS, ANN), follow(CATS, ANN)];
    expect(addresses(modelOf(...lists, ...follows, tag(BOBS, ANN, 'block')))).toEqual([CAT]);
    expect(addresses(modelOf(...lists, ...follows, tag(BOBS, ANN, 'mute')))).toEqual([CAT]);
    expect(addresses(modelOf(...lists, ...follows, tag(BOBS, ANN, 'mute'), untag(BOBS, ANN, 'MUTE')))).toEqual([
      BOB,
      CAT,
    ]);
    expect(addresses(modelOf(...lists, follow(ANNS, ANN)))).toEqual([]);
  });

  it('are marked if the account blocks or mutes them, and left out by list', () => {
    const hidden = [follow(ANNS, BOB), tag(ANNS, BOB, 'block'), tag(ANNS, BOB, 'mute'), follow(ANNS, CAT)];
    const model = modelOf(...lists, follow(BOBS, ANN), follow(CATS, ANN), ...hidden, tag(ANNS, CAT, 'mute'));
    const marks = model
      .followers(ANN)
      .followers.map((row) => [row.address, row.is_following, row.is_blocked, row.is_muted]);
    expect(marks).toEqual([
      [CAT, false, false, true],
      [BOB, false, true, false],
    ]);
    expect(addresses(model, { excludeHidden: true })).toEqual([]);
  });

  it('are not hidden by tags on a record that is not in the list', () => {
    const model = modelOf(...lists, follow(BOBS, ANN), tag(ANNS, BOB, 'block'));
    expect(addresses(model, { excludeHidden: true })).toEqual([BOB]);
  });

  it('are sorted by time or popularity, ties by address, and paged', () => {
    const model = modelOf(...lists, follow(CATS, ANN), follow(BOBS, ANN), follow(ANNS, CAT));
    expect(addresses(model)).toEqual([BOB, CAT]);
    expect(addresses(model, { sort: 'earliest' })).toEqual([CAT, BOB]);
    expect(addresses(model, { sort: 'followers' })).toEqual([CAT, BOB]);
    expect(addresses(model, { limit: 1, offset: 1 })).toEqual([CAT]);
    const place = { blockHash: word(9n), time: START + 900, logIndex: 0 };
    const tied = modelOf(...lists);
    tied.add(placeLog(follow(CATS, ANN), { ...place, blockNumber: 2000 }));
    tied.add(placeLog(follow(BOBS, ANN), { ...place, blockNumber: 3000 }));
    expect(addresses(tied)).toEqual([BOB, CAT]);
    expect(addresses(tied, { sort: 'earliest' })).toEqual([CAT, BOB]);
  });

  it('are sorted by follower counts as of the last ranking', () => {
    const model = modelOf(...lists, follow(CATS, ANN), follow(BOBS, ANN));
    const block = { blockNumber: 2000, blockHash: word(9n), time: START + 900, logIndex: 0 };
    model.add(placeLog(follow(ANNS, CAT), block));
    expect(addresses(model, { sort: 'followers' })).toEqual([BOB, CAT]);
    expect(model.leaderboard().map((entry) => entry.followers)).toEqual(['2', '0', '0']);
    model.rank();
    expect(addresses(model, { sort: 'followers' })).toEqual([CAT, BOB]);
    expect(model.leaderboard().map((entry) => entry.followers)).toEqual(['2', '1', '0']);
  });

  it('are filtered by tags', () => {
    const model = modelOf(...lists, follow(BOBS, ANN), tag(BOBS, ANN, 'x'), follow(CATS, ANN), tag(CATS, ANN, 'y'));
    expect(addresses(model, { tags: ' X ,q' })).toEqual([BOB]);
    expect(addresses(model, { tags: 'y,x' })).toEqual([CAT, BOB]);
    expect(addresses(model, { tags: 'q' })).toEqual([]);
    expect(addresses(model, { tags: ' ,,' })).toEqual([CAT, BOB]);
  });
});

describe('notifications of the model', () => {
  const ops = [
    follow(BOBS, ANN),
    follow(BOBS, ANN),
    tag(CATS, ANN, 'Friend'),
    untag(CATS, ANN, 'no'),
    unfollow(BOBS, ANN),
  ];
  const model = modelOf(...lists, ...ops, follow(ANNS, ANN));
  model.setProfile(BOB, { name: 'bob.eth', avatar: 'https://bob' });

  it('are all ops of other accounts, newest first, even those that changed nothing', () => {
    const answer = model.notifications(ANN, { start: START + 1000 });
    expect(answer.summary).toEqual({
      interval: '168:00:00(hrs)',
      opcode: 'all',
      total: 5,
      total_follows: 2,
      total_unfollows: 1,
      total_tags: 1,
      total_untags: 1,
    });
    expect(answer.notifications.map((row) => row.action)).toEqual(['unfollow', 'untag', 'tag', 'follow', 'follow']);
    expect(answer.notifications[0]).toEqual({
      address: BOB,
      name: 'bob.eth',
      avatar: 'https://bob',
      token_id: '2',
      action: 'unfollow',
      opcode: 2,
      op: opBytes(2, ANN),
      tag: '',
      updated_at: iso(160),
    });
    const op = opBytes(3, ANN, stringToHex('Friend'));
    expect(answer.notifications[2]).toMatchObject({ address: CAT, name: '', avatar: '', op, tag: 'friend' });
  });

  it('fall into a window that includes both ends', () => {
    const total = (start: number, interval: 'hour' | 'all') =>
      model.notifications(ANN, { start: START + start, interval }).summary.total;
    expect([total(160, 'hour'), total(159, 'hour')]).toEqual([5, 4]);
    expect([total(3600 + 160, 'hour'), total(3600 + 161, 'hour')]).toEqual([1, 0]);
    expect([total(10 ** 9, 'all'), total(119, 'all')]).toEqual([5, 0]);
    expect(model.notifications(ANN, { start: START, interval: 'all' }).summary.interval).toBe('999:00:00(hrs)');
  });

  it('are filtered by opcode and tag, with the totals of the page', () => {
    const start = START + 1000;
    expect(model.notifications(ANN, { start, opcode: 1, limit: 1 }).summary).toMatchObject({
      opcode: '1',
      total: 1,
      total_follows: 1,
    });
    expect(model.notifications(ANN, { start, tag: ' FRIEND ' }).notifications.map((row) => row.opcode)).toEqual([3]);
    expect(model.notifications(ANN, { start, tag: 'friend', opcode: 2 }).summary.total).toBe(0);
  });

  it('disappear when the slot is no longer active', () => {
    const gone = modelOf(...lists, ...ops, listMetadata(BOBS, 'user', DAN));
    const { notifications } = gone.notifications(ANN, { start: START + 1000 });
    expect(notifications.map((row) => row.address)).toEqual([CAT, CAT]);
  });

  it('of the same time are sorted by chain, block and log index, descending', () => {
    const tied = modelOf(...lists);
    const rows = [
      [CATS, 3000, 0],
      [BOBS, 2000, 5],
      [BOBS, 2000, 6],
      [BOBS, 2001, 0],
    ] as const;
    for (const [i, [slot, blockNumber, logIndex]] of rows.entries()) {
      const op = listOp(slot, opBytes(1, ANN, word(BigInt(i))));
      tied.add(placeLog(op, { blockNumber, blockHash: word(7n), time: START + 900, logIndex }));
    }
    const { notifications } = tied.notifications(ANN, { start: START + 900 });
    expect(notifications.map((row) => row.op.at(-1))).toEqual(['3', '2', '1', '0']);
  });
});

describe('ranks of the model', () => {
  // Ann and Bob follow each other, Cat follows Ann with top8 and blocks Dan, who has no followers.
  const model = modelOf(
    ...[...lists, follow(ANNS, BOB), follow(BOBS, ANN), follow(CATS, ANN), tag(CATS, ANN, 'top8')],
    ...[follow(CATS, DAN), tag(CATS, DAN, 'block'), tag(CATS, BOB, 'top8')],
  );

  it('are 1 plus the number of members with a greater count', () => {
    const ranks = (address: string) => Object.values(model.ranks(address)).join(' ');
    // Mutuals, followers, following, top8, blocks.
    expect(ranks(ANN)).toBe('1 1 1 1 2');
    expect(ranks(BOB.toUpperCase().replace('X', 'x'))).toBe('1 2 1 2 2');
    expect(ranks(CAT)).toBe('3 3 1 2 2');
    expect(ranks(DAN)).toBe('3 3 4 2 1');
  });

  it('are shown on the leaderboard', () => {
    const board = model.leaderboard();
    expect(board.map((entry) => entry.address)).toEqual([ANN, BOB, CAT, DAN]);
    expect(board[2]).toEqual({
      address: CAT,
      name: '',
      avatar: '',
      mutuals_rank: '3',
      followers_rank: '3',
      following_rank: '1',
      blocks_rank: '2',
      mutuals: '0',
      following: '1',
      followers: '0',
      blocks: '0',
    });
    expect(board[3]).toMatchObject({ address: DAN, followers: '0', blocks: '1', blocks_rank: '1' });
    expect(model.leaderboard({ limit: 1, offset: 1 }).map((entry) => entry.address)).toEqual([BOB]);
  });

  it('are searched with equal names first, then prefixes, then substrings', () => {
    const named = modelOf(...lists, follow(ANNS, BOB), follow(BOBS, ANN), follow(CATS, ANN));
    named.setProfile(ANN, { name: 'my%eve', avatar: '' });
    named.setProfile(BOB, { name: 'Eve2', avatar: '' });
    named.setProfile(CAT, { name: 'EVE', avatar: '' });
    const search = (term: string) => named.leaderboard({ term }).map((entry) => entry.address);
    expect(search(' eVe ')).toEqual([CAT, BOB, ANN]);
    expect(search('%')).toEqual([ANN]);
    expect(search('_')).toEqual([]);
    expect(search('0xBB')).toEqual([BOB]);
    expect(search('  ')).toEqual([ANN, BOB, CAT]);
  });
});
