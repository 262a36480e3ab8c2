import { describe, expect, it } from 'vitest';
import {
  listMetadata,
  listOp,
  locationBytes,
  opBytes,
  placeLog,
  storageLocation,
  transfer,
  word,
} from './encode-log.ts';
import { ZERO_ADDRESS } from './mainnet.ts';
import { allFollowers, followers, searchFollowers } from './naive-followers.ts';
import { allFollowing, allFollowingAddresses, exportState, following, searchFollowing } from './naive-following.ts';
import type { NaiveModel } from './naive-model.ts';
import type { PageQuery, SearchQuery } from './naive-page.ts';
import { listSubject, userSubject } from './naive-view.ts';
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
const entry = (address: string, tags: string[] = []) => ({
  version: 1,
  record_type: 'address',
  data: address,
  address,
  tags,
});
const addresses = (rows: readonly { address: string }[]) => rows.map(({ address }) => address);
const annFollows = (model: NaiveModel, query?: PageQuery) => {
  const view = model.view();
  return addresses(following(view, userSubject(view, ANN), query).following);
};
const annHolds = (model: NaiveModel, query?: PageQuery) => {
  const view = model.view();
  return addresses(allFollowing(view, userSubject(view, ANN), query).following);
};
const exported = (model: NaiveModel, list: string) => {
  const subject = listSubject(model.view(), list);
  return subject && exportState(model.view(), subject).following;
};

describe('following of the model', () => {
  const model = modelOf(
    ...[...lists, follow(ANNS, BOB), follow(ANNS, CAT), tag(ANNS, CAT, 'x'), tag(ANNS, BOB, 'A')],
    ...[follow(ANNS, DAN), tag(ANNS, DAN, 'mute'), follow(ANNS, ANN), follow(BOBS, CAT)],
  );

  it('has one entry per follow edge with sorted tags, newest first', () => {
    const view = model.view();
    expect(following(view, userSubject(view, ANN))).toEqual({ following: [entry(BOB, ['a']), entry(CAT, ['x'])] });
  });

  it('is sorted backwards by earliest, and by the follower count of the followed account', () => {
    expect(annFollows(model, { sort: 'earliest' })).toEqual([CAT, BOB]);
    expect(annFollows(model, { sort: 'followers' })).toEqual([CAT, BOB]);
    expect(annFollows(model, { limit: 1, offset: 1 })).toEqual([CAT]);
    const tied = modelOf(...lists, follow(ANNS, CAT), follow(ANNS, BOB));
    expect(annFollows(tied, { sort: 'followers' })).toEqual([BOB, CAT]);
  });

  it('is sorted by address if the times are the same, and exactly backwards by earliest', () => {
    const tied = modelOf(...lists);
    for (const [i, record] of [CAT, BOB].entries()) {
      const place = { blockNumber: 2000 + i, blockHash: word(9n), time: START + 900, logIndex: 0 };
      tied.add(placeLog(follow(ANNS, record), place));
    }
    expect(annFollows(tied)).toEqual([BOB, CAT]);
    expect(annFollows(tied, { sort: 'earliest' })).toEqual([CAT, BOB]);
    expect(addresses(exported(tied, '0') ?? [])).toEqual([CAT, BOB]);
  });

  it('contains blocks and mutes only if all edges are asked for', () => {
    expect(annHolds(model)).toEqual([DAN, BOB, CAT]);
    expect(annHolds(model, { tags: 'block, MUTE' })).toEqual([DAN]);
    expect(annFollows(model, { tags: 'mute' })).toEqual([]);
  });

  it('includes ens on request', () => {
    const view = model.view();
    const [row] = following(view, userSubject(view, ANN), { include: 'x,ens' }).following;
    expect(row).toMatchObject({ address: BOB, ens: { name: '', display: '0xbbbb…bbbb', fresh: 0 } });
    expect(following(view, userSubject(view, ANN), { include: 'x' }).following[0]).not.toHaveProperty('ens');
  });

  it('of a list is that of its own slot, without its account', () => {
    const view = modelOf(
      transfer(ZERO_ADDRESS, ANN, 7n),
      storageLocation(7n, locationBytes(ANNS)),
      ...[follow(ANNS, BOB), follow(ANNS, ANN), tag(ANNS, ANN, 'block'), follow(ANNS, CAT), tag(ANNS, CAT, 'block')],
    ).view();
    const subject = { account: ANN, slot: userSubject(model.view(), ANN).slot };
    expect(listSubject(view, '7')).toEqual(subject);
    expect(following(view, subject).following).toEqual([entry(BOB)]);
    expect(allFollowingAddresses(view, subject)).toEqual([CAT, BOB]);
    expect(exportState(view, subject)).toEqual({
      following: [entry(BOB), entry(ANN, ['block']), entry(CAT, ['block'])],
    });
    expect(following(view, userSubject(view, ANN)).following).toEqual([]);
  });

  it('of a list depends on who its account is', () => {
    const history = [...annsList, follow(ANNS, ANN), follow(ANNS, BOB), listMetadata(ANNS, 'user', BOB)];
    const view = modelOf(...history).view();
    const subject = listSubject(view, '0');
    expect(subject?.account).toBe(BOB);
    expect(subject && addresses(following(view, subject).following)).toEqual([ANN]);
  });

  it('is empty for a list without a location', () => {
    expect(exported(modelOf(transfer(ZERO_ADDRESS, ANN, 7n)), '7')).toEqual([]);
    expect(exported(modelOf(), '7')).toBeNull();
  });

  it('has no removed records and no tags without a record', () => {
    const gone = modelOf(...annsList, follow(ANNS, BOB), unfollow(ANNS, BOB), listOp(ANNS, opBytes(3, CAT, '0x78')));
    expect(annHolds(gone)).toEqual([]);
    expect(exported(gone, '0')).toEqual([]);
  });
});

describe('all followers of the model', () => {
  const model = modelOf(
    ...[...lists, follow(BOBS, ANN), follow(CATS, ANN), tag(CATS, ANN, 'block')],
    ...[follow(ANNS, CAT), tag(ANNS, CAT, 'mute'), follow(ANNS, BOB), tag(ANNS, BOB, 'block')],
  );

  it('are all edges to the account, with the relation of the account to them', () => {
    const rows = allFollowers(model.view(), ANN).followers;
    expect(rows.map((row) => [row.address, row.tags, row.is_blocked, row.is_muted])).toEqual([
      [CAT, ['block'], false, true],
      [BOB, [], true, false],
    ]);
    expect(addresses(allFollowers(model.view(), ANN, { tags: 'block,mute' }).followers)).toEqual([CAT]);
    expect(followers(model.view(), ANN, { tags: 'block,mute' }).followers).toEqual([]);
  });

  it('include ens on request', () => {
    expect(allFollowers(model.view(), ANN, { include: 'ens' }).followers[0]).toHaveProperty(
      'ens.display',
      '0xcccc…cccc',
    );
    expect(followers(model.view(), ANN, { include: 'ens' }).followers[0]).toHaveProperty('ens.display', '0xbbbb…bbbb');
  });
});

describe('a search of the model', () => {
  const model = modelOf(
    ...[...lists, follow(ANNS, BOB), follow(ANNS, CAT), follow(ANNS, DAN), follow(ANNS, ANN), follow(BOBS, CAT)],
    ...[follow(BOBS, ANN), follow(CATS, ANN), tag(ANNS, CAT, 'friend')],
  );
  model.setProfile(BOB, { name: 'my.eve.eth' });
  model.setProfile(CAT, { name: 'her.eve.eth' });
  model.setProfile(DAN, { name: 'eve.eth' });
  const view = model.view();
  const search = (query: SearchQuery) => addresses(searchFollowing(view, userSubject(view, ANN), query).following);

  it('finds equal names first, then prefixes, then the rest by follower count', () => {
    expect(search({ term: ' EVE.eth ' })).toEqual([DAN, CAT, BOB]);
    expect(search({ term: 'eve' })).toEqual([DAN, CAT, BOB]);
    expect(search({ term: 'my' })).toEqual([BOB]);
    expect(search({ term: 'EVE', limit: 1, offset: 1 })).toEqual([CAT]);
    expect(search({ term: '0xD' })).toEqual([DAN]);
    expect(search({ term: '%' })).toEqual([]);
  });

  it('finds nothing without a term', () => {
    expect(search({ term: '  ' })).toEqual([]);
    expect(searchFollowers(view, ANN, { term: '' }).followers).toEqual([]);
  });

  it('has ens in each entry', () => {
    const [found] = searchFollowing(view, userSubject(view, ANN), { term: 'her' }).following;
    expect(found).toMatchObject({ ...entry(CAT, ['friend']), ens: { name: 'her.eve.eth', display: 'her.eve.eth' } });
  });

  it('leaves out hidden followers by list only', () => {
    const hidden = modelOf(...lists, follow(BOBS, ANN), follow(ANNS, BOB), tag(ANNS, BOB, 'mute')).view();
    expect(addresses(searchFollowers(hidden, ANN, { term: '0x' }).followers)).toEqual([BOB]);
    expect(searchFollowers(hidden, ANN, { term: '0x', excludeHidden: true }).followers).toEqual([]);
  });
});
