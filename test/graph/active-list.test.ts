import { describe, expect, it } from 'vitest';
import { activeList, type ListState, type SlotState } from '../../src/graph/active-list.ts';

const ANN = `0x${'a1'.repeat(20)}` as const;
const BOB = `0x${'b2'.repeat(20)}` as const;

interface State {
  readonly primaryList: string | null;
  readonly lists: Readonly<Record<string, ListState>>;
  readonly slots: Readonly<Record<string, SlotState>>;
}

/** Ann's primary list is valid. */
const valid: State = {
  primaryList: '7',
  lists: { 7: { owner: ANN, slot: 'hers' }, 8: { owner: BOB, slot: 'his' } },
  slots: { hers: { user: ANN }, his: { user: BOB } },
};

function activeListIn({ primaryList, lists, slots }: State, account: typeof ANN | typeof BOB = ANN) {
  return activeList(
    account,
    primaryList,
    (tokenId) => lists[tokenId] ?? null,
    (key) => slots[key] ?? null,
  );
}

describe('a primary list', () => {
  it('is valid if it exists, has a location, and its slot names the account as user', () => {
    expect(activeListIn(valid)).toEqual({ list: '7', slot: 'hers' });
  });

  it('is valid for any owner', () => {
    const lists = { 7: { owner: BOB, slot: 'hers' } };
    expect(activeListIn({ ...valid, lists })).toEqual({ list: '7', slot: 'hers' });
  });

  it('may have the token id 0', () => {
    const lists = { 0: { owner: ANN, slot: 'hers' } };
    expect(activeListIn({ ...valid, primaryList: '0', lists })).toEqual({ list: '0', slot: 'hers' });
  });

  it.each<[string, Partial<State>]>([
    ['is not set', { primaryList: null }],
    ['does not exist', { primaryList: '9' }],
    ['was burned or not yet minted', { lists: { 7: { owner: null, slot: 'hers' } } }],
    ['has no location', { lists: { 7: { owner: ANN, slot: null } } }],
    ['points at an unknown slot', { slots: {} }],
    ['points at a slot without a user', { slots: { hers: { user: null } } }],
    ['points at a slot of another user, though the account owns the list', { slots: { hers: { user: BOB } } }],
    ['is the list of another account', { primaryList: '8' }],
  ])('is invalid if it %s', (_, change) => {
    expect(activeListIn({ ...valid, ...change })).toBeNull();
  });
});

describe('several lists that point at one slot', () => {
  const lists = {
    7: { owner: ANN, slot: 'hers' },
    8: { owner: BOB, slot: 'hers' },
    9: { owner: ANN, slot: 'hers' },
  };

  it.each(['7', '8', '9'])('are valid for the user of the slot: list %s', (primaryList) => {
    expect(activeListIn({ ...valid, lists, primaryList })).toEqual({ list: primaryList, slot: 'hers' });
  });

  it.each(['7', '8', '9'])('are invalid for any other account, even their owner: list %s', (primaryList) => {
    expect(activeListIn({ ...valid, lists, primaryList }, BOB)).toBeNull();
  });

  it('become valid for the new user when the slot gets one', () => {
    const taken = { ...valid, lists, slots: { hers: { user: BOB } } };
    expect(activeListIn(taken, ANN)).toBeNull();
    expect(activeListIn(taken, BOB)).toEqual({ list: '7', slot: 'hers' });
  });
});
