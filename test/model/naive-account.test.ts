import { describe, expect, it } from 'vitest';
import {
  accountMetadata,
  listMetadata,
  listOp,
  locationBytes,
  opBytes,
  storageLocation,
  transfer,
} from './encode-log.ts';
import { ZERO_ADDRESS } from './mainnet.ts';
import { accountOfList, details, ens, listsOf, stats, taggedAs, tags } from './naive-account.ts';
import type { NaiveModel } from './naive-model.ts';
import { buttonState, buttonStateBatch, followerState } from './naive-states.ts';
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
  slotOf,
  tag,
  unfollow,
} from './small-history.ts';

const lists = [...annsList, ...bobsList, ...catsList];
const NONE = { follow: false, block: false, mute: false };

function subjectOf(model: NaiveModel, list: string) {
  const subject = listSubject(model.view(), list);
  if (subject === null) throw new Error(`list ${list} does not exist`);
  return subject;
}

describe('an account of the model', () => {
  const model = modelOf(...lists, follow(BOBS, ANN));
  model.setProfile(ANN, { name: 'ann.eth', header: 'https://header', fresh: 5, records: { url: 'https://ann' } });
  const emptyRecords = { avatar: '', description: '', header: '', name: '' };
  const annsEns = {
    name: 'ann.eth',
    avatar: '',
    header: 'https://header',
    display: 'ann.eth',
    records: { ...emptyRecords, url: 'https://ann' },
    chains: {},
    fresh: 5,
    resolver: '',
    errors: {},
  };

  it('has the whole profile', () => {
    expect(ens(model.view(), ANN)).toEqual({ ens: { address: ANN, ...annsEns } });
    expect(ens(model.view(), DAN)).toEqual({
      ens: {
        ...annsEns,
        address: DAN,
        name: '',
        header: '',
        display: '0xdddd…dddd',
        records: emptyRecords,
        fresh: 0,
      },
    });
  });

  it('has details with ranks and its valid primary list', () => {
    const ranks = { mutuals_rank: '1', followers_rank: '1', following_rank: '2', top8_rank: '1', blocks_rank: '1' };
    expect(details(model.view(), ANN)).toEqual({ address: ANN, ens: annsEns, ranks, primary_list: '0' });
    expect(details(model.view(), DAN)).toMatchObject({ ranks: { mutuals_rank: '0' }, primary_list: '' });
  });

  it('of a list says whether the list is its primary one', () => {
    const two = modelOf(...annsList, transfer(ZERO_ADDRESS, ANN, 7n), transfer(ZERO_ADDRESS, DAN, 8n));
    const answer = (list: string) => accountOfList(two.view(), list, subjectOf(two, list));
    expect(answer('0')).toMatchObject({ address: ANN, is_primary_list: true, primary_list: '0' });
    expect(answer('7')).toMatchObject({ address: ANN, is_primary_list: false, primary_list: '0' });
    expect(answer('8')).toMatchObject({ address: DAN, is_primary_list: false, primary_list: '' });
  });
});

describe('the lists of an account', () => {
  it('are those that it owns and those whose slot names it as user or manager, by number', () => {
    const other = slotOf(9n);
    const model = modelOf(
      ...annsList,
      ...[transfer(ZERO_ADDRESS, ANN, 10n), transfer(ZERO_ADDRESS, BOB, 9n), transfer(ZERO_ADDRESS, ANN, 4n)],
      ...[storageLocation(9n, locationBytes(other)), listMetadata(other, 'manager', ANN), transfer(ANN, DAN, 0n)],
    );
    expect(listsOf(model.view(), ANN)).toEqual({ primary_list: '0', lists: ['0', '4', '9', '10'] });
    expect(listsOf(model.view(), BOB)).toEqual({ primary_list: '', lists: ['9'] });
    expect(listsOf(model.view(), DAN)).toEqual({ primary_list: '', lists: ['0'] });
    expect(listsOf(model.view(), CAT)).toEqual({ primary_list: '', lists: [] });
  });

  it('do not contain burned lists or those of a manager that was cleared', () => {
    const burned = modelOf(...annsList, transfer(ANN, ZERO_ADDRESS, 0n));
    expect(listsOf(burned.view(), ANN).lists).toEqual([]);
    const managed = [...annsList, listMetadata(ANNS, 'manager', BOB)];
    expect(listsOf(modelOf(...managed).view(), BOB).lists).toEqual(['0']);
    expect(listsOf(modelOf(...managed, listMetadata(ANNS, 'manager', ZERO_ADDRESS)).view(), BOB).lists).toEqual([]);
  });

  it('have no primary list once it is cleared', () => {
    const cleared = modelOf(...annsList, accountMetadata(ANN, 'primary-list', '0x'));
    expect(listsOf(cleared.view(), ANN)).toEqual({ primary_list: '', lists: ['0'] });
  });
});

describe('the stats of an account', () => {
  it('are exact without a ranking, and count follows only', () => {
    const model = modelOf(
      ...[...lists, follow(ANNS, BOB), follow(ANNS, ANN), follow(ANNS, CAT), tag(ANNS, CAT, 'block')],
      ...[follow(BOBS, ANN), follow(CATS, ANN), tag(CATS, ANN, 'mute')],
    );
    expect(stats(model.view(), userSubject(model.view(), ANN))).toEqual({ followers_count: 1, following_count: 1 });
  });

  it('of a list count the records of its own slot, even if it is not a primary list', () => {
    const idle = modelOf(...annsList.slice(0, 3), ...bobsList, follow(BOBS, ANN), follow(ANNS, BOB));
    expect(stats(idle.view(), subjectOf(idle, '0'))).toEqual({ followers_count: 1, following_count: 1 });
    expect(stats(idle.view(), userSubject(idle.view(), ANN))).toEqual({ followers_count: 1, following_count: 0 });
    const bare = modelOf(...bobsList, follow(BOBS, ANN), transfer(ZERO_ADDRESS, ANN, 7n));
    expect(stats(bare.view(), subjectOf(bare, '7'))).toEqual({ followers_count: 1, following_count: 0 });
  });
});

describe('tags of the model', () => {
  const model = modelOf(
    ...[
      ...lists,
      follow(ANNS, BOB),
      tag(ANNS, BOB, 'z'),
      tag(ANNS, BOB, 'mute'),
      follow(ANNS, CAT),
      tag(ANNS, CAT, 'z'),
    ],
    ...[tag(ANNS, CAT, 'a'), tag(ANNS, DAN, 'z'), follow(ANNS, ANN), tag(ANNS, ANN, 'own')],
    ...[follow(BOBS, CAT), tag(BOBS, CAT, 'block'), tag(BOBS, CAT, 'z')],
  );

  it('are those on present records of other accounts, by count, then by tag', () => {
    expect(tags(model.view(), userSubject(model.view(), ANN))).toEqual({
      tags: ['z', 'a', 'mute'],
      tagCounts: [
        { tag: 'z', count: 2 },
        { tag: 'a', count: 1 },
        { tag: 'mute', count: 1 },
      ],
      taggedAddresses: [
        { address: BOB, tag: 'mute' },
        { address: BOB, tag: 'z' },
        { address: CAT, tag: 'a' },
        { address: CAT, tag: 'z' },
      ],
    });
  });

  it('on an account are those of every edge to it', () => {
    expect(taggedAs(model.view(), CAT)).toEqual({
      tags: ['z', 'a', 'block'],
      tagCounts: [
        { tag: 'z', count: 2 },
        { tag: 'a', count: 1 },
        { tag: 'block', count: 1 },
      ],
      taggedAddresses: [
        { address: ANN, tag: 'a' },
        { address: ANN, tag: 'z' },
        { address: BOB, tag: 'block' },
        { address: BOB, tag: 'z' },
      ],
    });
    expect(taggedAs(model.view(), DAN)).toEqual({ tags: [], tagCounts: [], taggedAddresses: [] });
  });
});

describe('states of the model', () => {
  const model = modelOf(
    ...[...lists, follow(ANNS, BOB), follow(ANNS, CAT), tag(ANNS, CAT, 'mute'), follow(ANNS, ANN), follow(CATS, ANN)],
    ...[follow(BOBS, ANN), tag(BOBS, ANN, 'mute'), tag(BOBS, ANN, 'block'), unfollow(CATS, ANN)],
  );
  const view = model.view();

  it('of a follower are those of its edge to the account', () => {
    expect(followerState(view, BOB, ANN)).toEqual({ ...NONE, follow: true });
    expect(followerState(view, ANN, BOB)).toEqual({ ...NONE, block: true });
    expect(followerState(view, ANN, CAT)).toEqual(NONE);
    expect(followerState(view, ANN, ANN)).toEqual(NONE);
  });

  it('of a button are those of the record in the slot, and none for the own account', () => {
    const subject = userSubject(view, ANN);
    expect(buttonState(view, subject, BOB)).toEqual({ ...NONE, follow: true });
    expect(buttonState(view, subject, CAT)).toEqual({ ...NONE, mute: true });
    expect(buttonState(view, subject, ANN)).toEqual(NONE);
    expect(buttonState(view, userSubject(view, DAN), BOB)).toEqual(NONE);
  });

  it('of a slot that is not active exist for buttons but not for followers', () => {
    const idle = modelOf(...annsList.slice(0, 2), listOp(ANNS, opBytes(1, BOB)));
    expect(buttonState(idle.view(), subjectOf(idle, '0'), BOB)).toEqual({ ...NONE, follow: true });
    expect(followerState(idle.view(), BOB, ANN)).toEqual(NONE);
  });

  it('of a batch keep its order and are null for what cannot be resolved', () => {
    const named = modelOf(...annsList, follow(ANNS, BOB));
    named.setProfile(BOB, { name: 'bob.eth' });
    const upper = `0x${BOB.slice(2).toUpperCase()}`;
    const batch = ['Bob.eth', null, upper, 'nobody.eth', '0x12', CAT, ''];
    expect(buttonStateBatch(named.view(), '0', subjectOf(named, '0'), batch)).toEqual([
      { token_id: '0', address: BOB, state: { ...NONE, follow: true } },
      { token_id: '0', address: null, state: null },
      { token_id: '0', address: BOB, state: { ...NONE, follow: true } },
      { token_id: '0', address: 'nobody.eth', state: null },
      { token_id: '0', address: '0x12', state: null },
      { token_id: '0', address: CAT, state: NONE },
      { token_id: '0', address: '', state: null },
    ]);
  });
});
