import { describe, expect, it } from 'vitest';
import { type BlockRef, type Fork, findFork, type LinkedBlock } from '../../src/indexer/reorg.ts';

/** The blocks of a branch: `a4` is block 4 of branch a. */
const ref = (name: string): BlockRef => ({ number: Number(name.slice(1)), hash: name });

/** The blocks that we have stored, lowest first. */
const ours = (...names: string[]) => names.map(ref);

/** Blocks of the node, newest first. The last name is only the parent hash of the one before. */
const canonical = (...names: string[]): LinkedBlock[] =>
  names.slice(0, -1).map((name, i) => ({ ...ref(name), parentHash: names[i + 1] ?? '' }));

const found = (name: string): Fork => ({ kind: 'found', at: ref(name) });
const OLDER: Fork = { kind: 'older' };
const TOO_DEEP: Fork = { kind: 'too-deep' };

const WINDOW = ours('a3', 'a4', 'a5', 'a6', 'a7');

describe('findFork', () => {
  it.each<[string, BlockRef[], LinkedBlock[], Fork]>([
    ['the same head', WINDOW, canonical('a7', 'a6'), found('a7')],
    ['a head that is the child of ours', WINDOW, canonical('a8', 'a7'), found('a7')],
    ['a head far above ours, with unknown parents', WINDOW, canonical('a12', 'a11'), OLDER],
    ['a head far above ours, followed down to it', WINDOW, canonical('a10', 'a9', 'a8', 'a7'), found('a7')],
    ['an older head of our branch', WINDOW, canonical('a5', 'a4'), found('a5')],
    ['the oldest stored block as head', WINDOW, canonical('a3', 'a2'), found('a3')],
    ['depth 1, other branch as long as ours', WINDOW, canonical('b7', 'a6'), found('a6')],
    ['depth 1, other branch longer', WINDOW, canonical('b8', 'b7', 'a6'), found('a6')],
    ['depth 2, other branch as long as ours', WINDOW, canonical('b7', 'b6', 'a5'), found('a5')],
    ['depth 3, other branch shorter', WINDOW, canonical('b5', 'a4'), found('a4')],
    ['depth 3, other branch much longer', WINDOW, canonical('b9', 'b8', 'b7', 'b6', 'b5', 'a4'), found('a4')],
    ['depth 4: a fork at the oldest stored block', WINDOW, canonical('b5', 'b4', 'a3'), found('a3')],
    ['depth 4, other branch of a single block', WINDOW, canonical('b4', 'a3'), found('a3')],
    ['depth 5: a fork below the oldest block', WINDOW, canonical('b5', 'b4', 'b3', 'a2'), TOO_DEEP],
    ['another block in place of the oldest', WINDOW, canonical('b3', 'a2'), TOO_DEEP],
    ['a parent at the height of the oldest block, with another hash', WINDOW, canonical('b4', 'b3'), TOO_DEEP],
    ['a head below all stored blocks', WINDOW, canonical('a2', 'a1'), TOO_DEEP],
    ['a branch whose next parent is still unknown', WINDOW, canonical('b7', 'b6'), OLDER],
    ['a longer branch whose next parent is still unknown', WINDOW, canonical('b8', 'b7', 'b6', 'b5'), OLDER],
    ['no blocks of the other branch', WINDOW, [], OLDER],
    ['a window of one block, and that block', ours('a7'), canonical('a7', 'a6'), found('a7')],
    ['a window of one block, and its child', ours('a7'), canonical('a8', 'a7'), found('a7')],
    ['a window of one block, and another in its place', ours('a7'), canonical('b7', 'a6'), TOO_DEEP],
    ['a window of one block, and the child of another', ours('a7'), canonical('b8', 'b7'), TOO_DEEP],
    ['a window of one block, and a branch far above it', ours('a7'), canonical('b9', 'b8'), OLDER],
    ['no stored blocks', [], canonical('b9', 'b8'), TOO_DEEP],
  ])('compares the stored blocks with %s', (_, window, branch, fork) => {
    expect(findFork(window, branch)).toEqual(fork);
  });

  it('returns the highest block that is on both branches', () => {
    const branch = canonical('b7', 'b6', 'a5', 'a4', 'a3', 'a2');
    expect(findFork(WINDOW, branch)).toEqual(found('a5'));
  });

  it('compares hashes only at the same height', () => {
    const misplaced: LinkedBlock[] = [{ number: 6, hash: 'a5', parentHash: 'a4' }];
    expect(findFork(WINDOW, misplaced)).toEqual(OLDER);
  });

  it('finds the only height at which the hashes are equal', () => {
    const shuffled = ours('x3', 'x4', 'a5', 'x6', 'x7');
    expect(findFork(shuffled, canonical('a7', 'a6', 'a5', 'a4', 'a3', 'a2'))).toEqual(found('a5'));
  });

  it('does not depend on the order of the stored blocks', () => {
    expect(findFork([...WINDOW].reverse(), canonical('b6', 'b5', 'a4'))).toEqual(found('a4'));
    expect(findFork([...WINDOW].reverse(), canonical('b4', 'b3'))).toEqual(TOO_DEEP);
  });

  it.each(Array.from({ length: 20 }, (_, i) => i + 1))('finds a fork of depth %i one parent at a time', (depth) => {
    const head = 100;
    const window = Array.from({ length: 21 }, (_, i) => ref(`a${head - 20 + i}`));
    const nameAt = (number: number) => (number <= head - depth ? `a${number}` : `b${number}`);
    const results: Fork[] = [];
    const branch: LinkedBlock[] = [];
    for (let number = head; results.at(-1)?.kind !== 'found'; number--) {
      branch.push({ ...ref(nameAt(number)), parentHash: nameAt(number - 1) });
      results.push(findFork(window, branch));
    }
    expect(results).toEqual([...Array(depth - 1).fill(OLDER), found(`a${head - depth}`)]);
  });
});
