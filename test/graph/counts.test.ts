import { describe, expect, it } from 'vitest';
import { type AccountCounts, addCounts, countsOfEdge, MEASURES, mutualsOfPair } from '../../src/graph/counts.ts';
import type { Edge } from '../../src/graph/fold-record.ts';
import type { Relation } from '../../src/graph/relation.ts';

const noCounts = () => ({
  ...{ followers: 0, following: 0, mutuals: 0, blocks: 0, top8: 0 },
  ...{ blocks_given: 0, mutes_given: 0, mutes: 0 },
});

const none = noCounts();
const edge = (relation: Relation, ...tags: string[]): Edge => ({ relation, tags, time: 1 });

/** The counts of both accounts if this edge is the only one. */
function countsWith(of: Edge | null): { source: AccountCounts; target: AccountCounts } {
  const counts = { source: { ...none }, target: { ...none } };
  const delta = countsOfEdge(of);
  addCounts(counts.source, delta.source, 1);
  addCounts(counts.target, delta.target, 1);
  return counts;
}

describe('countsOfEdge', () => {
  it.each<[string, Edge | null, Partial<AccountCounts>, Partial<AccountCounts>]>([
    ['a missing edge counts for neither account', null, {}, {}],
    ['a follow counts for both accounts', edge('follow'), { following: 1 }, { followers: 1 }],
    ['a follow with other tags counts as a follow', edge('follow', 'close'), { following: 1 }, { followers: 1 }],
    [
      'a follow tagged top8 also counts as top8 of the target',
      edge('follow', 'top8'),
      { following: 1 },
      { followers: 1, top8: 1 },
    ],
    ['a follow with a tag like top8 counts as a follow', edge('follow', 'top80'), { following: 1 }, { followers: 1 }],
    ['a mute counts for both accounts', edge('mute', 'mute'), { mutes_given: 1 }, { mutes: 1 }],
    ['a mute tagged top8 counts as a mute', edge('mute', 'mute', 'top8'), { mutes_given: 1 }, { mutes: 1 }],
    ['a block counts for both accounts', edge('block', 'block'), { blocks_given: 1 }, { blocks: 1 }],
    ['a block tagged top8 counts as a block', edge('block', 'block', 'top8'), { blocks_given: 1 }, { blocks: 1 }],
  ])('%s', (_, of, source, target) => {
    expect(countsWith(of)).toEqual({ source: { ...none, ...source }, target: { ...none, ...target } });
  });
});

describe('two accounts', () => {
  const follow = edge('follow');

  it.each<[Edge | null, Edge | null]>([
    [follow, follow],
    [edge('follow', 'top8'), follow],
  ])('are mutuals when they follow each other: %o %o', (there, back) => {
    expect(mutualsOfPair(there?.relation ?? null, back?.relation ?? null)).toBe(1);
  });

  it.each<[Edge | null, Edge | null]>([
    [null, null],
    [follow, null],
    [null, follow],
    [follow, edge('mute', 'mute')],
    [edge('block', 'block'), follow],
    [edge('block', 'block'), edge('block', 'block')],
  ])('are not mutuals unless both follow: %o %o', (there, back) => {
    expect(mutualsOfPair(there?.relation ?? null, back?.relation ?? null)).toBe(0);
  });
});

describe('addCounts', () => {
  const some: AccountCounts = { ...none, followers: 5, following: 4, mutuals: 3, blocks: 2, top8: 1 };

  it('adds one to each given count and leaves the others', () => {
    const counts = { ...some };
    addCounts(counts, ['followers', 'mutuals'], 1);
    expect(counts).toEqual({ ...some, followers: 6, mutuals: 4 });
  });

  it('subtracts what it added', () => {
    const counts = { ...some };
    addCounts(counts, MEASURES, 1);
    addCounts(counts, MEASURES, -1);
    expect(counts).toEqual(some);
  });
});
