import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldRecord, type RecordOp } from '../../src/graph/fold-record.ts';

const add = (time: number): RecordOp => ({ opcode: 1, tag: '', time });
const remove = (time: number): RecordOp => ({ opcode: 2, tag: '', time });
const tag = (text: string, time: number): RecordOp => ({ opcode: 3, tag: text, time });
const untag = (text: string, time: number): RecordOp => ({ opcode: 4, tag: text, time });
const follow = (tags: string[], time: number) => ({ relation: 'follow', tags, time });

describe('a record', () => {
  it.each<[string, RecordOp[], object | null]>([
    ['is absent without ops', [], null],
    ['is a follow once added', [add(1)], follow([], 1)],
    ['stays as it is when added twice', [add(1), add(2)], follow([], 1)],
    ['is absent once removed', [add(1), remove(2)], null],
    ['is absent when removed before it was added', [remove(1)], null],
    ['is back when added after that', [remove(1), add(2)], follow([], 2)],
    ['is back when added again', [add(1), remove(2), add(3)], follow([], 3)],
    ['is gone for good when removed twice', [add(1), remove(2), remove(3)], null],
  ])('%s', (_, ops, edge) => {
    expect(foldRecord(ops)).toEqual(edge);
  });
});

describe('tags', () => {
  it.each<[string, RecordOp[], object | null]>([
    ['are put on a record', [add(1), tag('a', 2)], follow(['a'], 2)],
    ['alone make no record', [tag('a', 1)], null],
    ['set before the record count once it is added', [tag('a', 1), add(2)], follow(['a'], 2)],
    ['untagged before the record is added are gone', [tag('a', 1), untag('a', 2), add(3)], follow([], 3)],
    ['set twice are set once', [add(1), tag('a', 2), tag('a', 3)], follow(['a'], 2)],
    ['are taken off', [add(1), tag('a', 2), untag('a', 3)], follow([], 3)],
    ['are taken off alone', [add(1), tag('a', 2), tag('b', 3), untag('a', 4)], follow(['b'], 4)],
    ['that are absent cannot be taken off', [add(1), tag('a', 2), untag('b', 3)], follow(['a'], 2)],
    ['taken off before they are set are set', [add(1), untag('a', 2), tag('a', 3)], follow(['a'], 3)],
    ['are dropped with the record', [add(1), tag('a', 2), remove(3), add(4)], follow([], 4)],
    ['that wait are dropped by a removal too', [tag('a', 1), remove(2), add(3)], follow([], 3)],
    ['set after a removal wait for the record', [add(1), remove(2), tag('a', 3), add(4)], follow(['a'], 4)],
    ['are sorted', [add(1), tag('b', 2), tag('a', 3), tag('c', 4)], follow(['a', 'b', 'c'], 4)],
    [
      'are sorted by code unit',
      [add(1), tag('é', 2), tag('z', 3), tag('10', 4), tag('9', 5)],
      follow(['10', '9', 'z', 'é'], 5),
    ],
  ])('%s', (_, ops, edge) => {
    expect(foldRecord(ops)).toEqual(edge);
  });
});

describe('the relation', () => {
  it.each([
    ['follow', ['top8', 'close']],
    ['follow', ['blocked', 'muted']],
    ['mute', ['mute']],
    ['block', ['block']],
    ['block', ['mute', 'block']],
    ['block', ['block', 'mute']],
    ['mute', ['mute', 'top8']],
    ['block', ['top8', 'block']],
  ])('is %s with the tags %j', (relation, tags) => {
    expect(foldRecord([add(1), ...tags.map((text) => tag(text, 2))])?.relation).toBe(relation);
  });

  it.each([
    ['mute', 'block'],
    ['block', 'mute'],
  ])('is %s again after the tag %s is removed', (left, taken) => {
    expect(foldRecord([add(1), tag('mute', 2), tag('block', 3), untag(taken, 4)])?.relation).toBe(left);
  });
});

describe('the time', () => {
  it.each<[string, RecordOp[], number]>([
    ['of an addition', [add(1)], 1],
    ['of a later tag', [add(1), tag('a', 2)], 2],
    ['of a later untag', [add(1), tag('a', 2), untag('a', 3)], 3],
    ['of the addition when the tag came before it', [tag('a', 1), add(2)], 2],
    ['of the last change, even when its clock is behind', [add(5), tag('a', 3)], 3],
    ['not of a second addition', [add(1), add(2)], 1],
    ['not of a second tag', [add(1), tag('a', 2), tag('a', 3)], 2],
    ['not of a vain untag', [add(1), untag('a', 2)], 1],
    ['not of anything before a removal', [add(1), tag('a', 9), remove(3), add(4)], 4],
  ])('is that %s', (_, ops, time) => {
    expect(foldRecord(ops)?.time).toBe(time);
  });
});

describe('an op that changes nothing', () => {
  it('leaves the record unchanged at any position and any number of times', () => {
    const tags = fc.constantFrom('mute', 'block', 'top8');
    const time = fc.nat(100);
    const anyOp = fc.oneof(
      time.map(add),
      time.map(remove),
      fc.tuple(tags, time).map(([text, at]) => tag(text, at)),
      fc.tuple(tags, time).map(([text, at]) => untag(text, at)),
    );
    const opAndVain = fc.record({
      op: anyOp,
      vain: fc.array(fc.record({ choice: fc.nat(), time: fc.nat() }), { maxLength: 3 }),
    });
    fc.assert(
      fc.property(fc.array(opAndVain, { maxLength: 12 }), (steps) => {
        const ops = steps.map(({ op }) => op);
        const padded = steps.flatMap(({ op, vain }, i) => {
          const possible = vainOps(ops.slice(0, i + 1));
          // Safe: removing a tag that is never set always changes nothing.
          return [
            op,
            ...vain.map(({ choice, time }) => ({ ...(possible[choice % possible.length] as RecordOp), time })),
          ];
        });
        expect(foldRecord(padded)).toEqual(foldRecord(ops));
      }),
      { numRuns: 1000 },
    );
  });
});

/** Ops that change nothing after `ops`. */
function vainOps(ops: readonly RecordOp[]): RecordOp[] {
  const sinceRemoval = ops.slice(ops.findLastIndex((op) => op.opcode === 2) + 1);
  const present = sinceRemoval.some((op) => op.opcode === 1);
  const touched = new Map(sinceRemoval.filter((op) => op.opcode > 2).map((op) => [op.tag, op.opcode === 3]));
  const tags = [...touched].filter(([, isSet]) => isSet).map(([text]) => text);
  const absent = ['mute', 'block', 'top8', 'never'].filter((text) => !tags.includes(text));
  return [
    ...(present ? [add(0)] : []),
    ...(present || tags.length > 0 ? [] : [remove(0)]),
    ...tags.map((text) => tag(text, 0)),
    ...absent.map((text) => untag(text, 0)),
  ];
}
