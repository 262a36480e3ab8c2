import { describe, expect, it } from 'vitest';
import { EVENT_TYPES, type EventType } from '../../src/contract/event-schemas.ts';
import type { EventFacts } from '../../src/live/build-event.ts';
import { type EventFilter, passes, whyImpossible } from '../../src/live/filter.ts';

const [ANN, BOB, CAT] = ['0xa1', '0xb2', '0xc3'] as const;
const ALL: EventFilter = { accounts: null, role: 'any', types: null, tags: null, allLists: true };
const of = (accounts: string[], role: EventFilter['role'] = 'any') =>
  ({ ...ALL, accounts: new Set(accounts), role }) as EventFilter;

const event = (facts: object) => ({ account: '', ...facts }) as EventFacts;
const follow = event({ type: 'follow', account: ANN, target: BOB, is_primary: true });
const tag = event({ type: 'tag', account: ANN, target: BOB, is_primary: true, tag: 'top8' });
const user = event({ type: 'user', account: ANN });
const transfer = event({ type: 'transfer', account: ANN, from: BOB });

const never = () => false;
const always = () => true;

describe('the filter of event streams', () => {
  it.each([
    ['everything without a filter', ALL, follow, true],
    ['an op that the account did', of([ANN], 'source'), follow, true],
    ['no op that names it, as source', of([BOB], 'source'), follow, false],
    ['an op that names it as target', of([BOB], 'target'), follow, true],
    ['no op that it did, as target', of([ANN], 'target'), follow, false],
    ['either role', of([BOB]), follow, true],
    ['no op of other accounts', of([CAT]), follow, false],
    ['a transfer of the new owner', of([ANN], 'source'), transfer, true],
    ['a transfer of the former owner', of([BOB], 'source'), transfer, true],
    ['no type that was not asked for', { ...ALL, types: new Set<EventType>(['unfollow']) }, follow, false],
    ['the type that was asked for', { ...ALL, types: new Set<EventType>(['follow']) }, follow, true],
    ['a tag', { ...ALL, tags: new Set(['top8']) }, tag, true],
    ['no other tag', { ...ALL, tags: new Set(['gm']) }, tag, false],
    ['no op without a tag, if tags were asked for', { ...ALL, tags: new Set(['top8']) }, follow, false],
    ['ops of primary lists', { ...ALL, allLists: false }, follow, true],
    ['no op of another list', { ...ALL, allLists: false }, { ...follow, is_primary: false }, false],
    ['what is no list op, also without a primary list', { ...ALL, allLists: false }, user, true],
  ] as const)('lets pass %s', (_title, filter, given, expected) => {
    expect(passes(filter, given, never)).toBe(expected);
  });

  it.each(['user', 'location', 'primary', 'mint', 'burn'] as const)(
    'lets a %s event pass for a target that has a record in a slot of it',
    (type) => {
      const changed = event({ type, account: CAT });
      const passed = [of([BOB], 'target'), of([BOB]), of([BOB], 'source')].map((filter) =>
        passes(filter, changed, always),
      );
      expect(passed).toEqual([true, true, false]);
      expect(passes(of([BOB], 'target'), changed, never)).toBe(false);
    },
  );

  it.each(['manager', 'transfer'] as const)('lets no %s event pass for a target', (type) => {
    expect(passes(of([BOB], 'target'), event({ type, account: CAT, from: CAT }), always)).toBe(false);
  });

  it.each([
    ['a role without an account', { ...ALL, role: 'target' }, 'role=target needs an account'],
    ['tags of follows', { ...ALL, tags: new Set(['gm']), types: new Set<EventType>(['follow']) }, 'tag is of events'],
    ['tags that have types of their own', { ...ALL, tags: new Set(['block']) }, 'block and mute'],
    ['targets of managers', { ...of([ANN], 'target'), types: new Set<EventType>(['manager']) }, 'has a target'],
  ] as const)('is impossible for %s', (_title, filter, reason) => {
    expect(whyImpossible(filter)).toContain(reason);
  });

  it('is possible for each type alone, for some accounts', () => {
    for (const type of EVENT_TYPES) expect(whyImpossible({ ...of([ANN]), types: new Set([type]) })).toBeNull();
  });
});
