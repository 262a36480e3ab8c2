import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldRecord, type RecordOp } from '../../src/graph/fold-record.ts';

const add = (time: number): RecordOp => ({ opcode: 1, tag: '', time });
const remove = (time: number): RecordOp => ({ opcode: 2, tag: '', time });
const tag = (text: string, time: number): RecordOp => ({ opcode: 3, tag: text, time });
const untag = (text: string, time: number): RecordOp => ({ opcode: 4, tag: text, time });
const follow = (tags: string[], time: number) => ({ relation: 'follow', tags, time });

describe('foldRecord of a record', () => {
  it.each<[string, RecordOp[], object | null]>([
    ['returns null without ops', [], null],
    ['returns a follow after an add', [add(1)], follow([], 1)],
    ['ignores a second add', [add(1), add(2)], follow([], 1)],
    ['returns null after a remove', [add(1), remove(2)], null],
    ['returns null after a remove without an add', [remove(1)], null],
    ['returns a follow after a remove and an add', [remove(1), add(2)], follow([], 2)],
    ['returns a follow after a second add that follows a remove', [add(1), remove(2), add(3)], follow([], 3)],
    ['returns null after two removes', [add(1), remove(2), remove(3)], null],
  ])('%s', (_, ops, edge) => {
    expect(foldRecord(ops)).toEqual(edge);
  });
});

describe('foldRecord of tags', () => {
  it.each<[string, RecordOp[], object | null]>([
    ['adds a tag to a record', [add(1), tag('a', 2)], follow(['a'], 2)],
    ['returns null for a tag without a record', [tag('a', 1)], null],
    ['keeps a tag that was set before the record was added', [tag('a', 1), add(2)], follow(['a'], 2)],
    ['drops a tag that was removed before the record was added', [tag('a', 1), untag('a', 2), add(3)], follow([], 3)],
    ['ignores a tag that is already set', [add(1), tag('a', 2), tag('a', 3)], follow(['a'], 2)],
    ['removes a tag', [add(1), tag('a', 2), untag('a', 3)], follow([], 3)],
    ['removes a tag and keeps the others', [add(1), tag('a', 2), tag('b', 3), untag('a', 4)], follow(['b'], 4)],
    ['ignores the removal of a tag that is not set', [add(1), tag('a', 2), untag('b', 3)], follow(['a'], 2)],
    ['sets a tag that was removed before it was set', [add(1), untag('a', 2), tag('a', 3)], follow(['a'], 3)],
    ['drops the tags of a removed record', [add(1), tag('a', 2), remove(3), add(4)], follow([], 4)],
    ['drops tags set before the record if it is removed', [tag('a', 1), remove(2), add(3)], follow([], 3)],
    [
      'keeps a tag set after a removal until the record is added',
      [add(1), remove(2), tag('a', 3), add(4)],
      follow(['a'], 4),
    ],
    ['sorts tags', [add(1), tag('b', 2), tag('a', 3), tag('c', 4)], follow(['a', 'b', 'c'], 4)],
    [
      'sorts tags by code unit, not by locale or number',
      [add(1), tag('é', 2), tag('z', 3), tag('10', 4), tag('9', 5)],
      follow(['10', '9', 'z', 'é'], 5),
    ],
  ])('%s', (_, ops, edge) => {
    expect(foldRecord(ops)).toEqual(edge);
  });
});

describe('the relation of foldRecord', () => {
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

describe('the time of foldRecord', () => {
  it.each<[string, RecordOp[], number]>([
    ['is that of the add', [add(1)], 1],
    ['is that of a later tag', [add(1), tag('a', 2)], 2],
    ['is that of a later untag', [add(1), tag('a', 2), untag('a', 3)], 3],
    ['is that of the add if the tag was set before it', [tag('a', 1), add(2)], 2],
    ['is that of the last change, even if its timestamp is lower', [add(5), tag('a', 3)], 3],
    ['is not that of a second add', [add(1), add(2)], 1],
    ['is not that of a tag that is already set', [add(1), tag('a', 2), tag('a', 3)], 2],
    ['is not that of an untag without effect', [add(1), untag('a', 2)], 1],
    ['is not that of any op before a removal', [add(1), tag('a', 9), remove(3), add(4)], 4],
  ])('%s', (_, ops, time) => {
    expect(foldRecord(ops)?.time).toBe(time);
  });
});

describe('an op without effect', () => {
  it('leaves the record unchanged at any position and any number of times', () => {
    const tags = fc.constantFrom('mute', 'block', 'top8');
    const time = fc.nat(100);
    const anyOp = fc.oneof(
      time.map(add),
      time.map(remove),
      fc.tuple(tags, time).map(([text, at]) => tag(text, at)),
      fc.tuple(tags, time).map(([text, at]) => untag(text, at)),
    );
    const opAndNoOps = fc.record({
      op: anyOp,
      noOps: fc.array(fc.record({ choice: fc.nat(), time: fc.nat() }), { maxLength: 3 }),
    });
    fc.assert(
      fc.property(fc.array(opAndNoOps, { maxLength: 12 }), (steps) => {
        const ops = steps.map(({ op }) => op);
        const padded = steps.flatMap(({ op, noOps }, i) => {
          const possible = noOpsAfter(ops.slice(0, i + 1));
          // Safe: removing a tag that is never set always changes nothing.
          return [
            op,
            ...noOps.map(({ choice, time }) => ({ ...(possible[choice % possible.length] as RecordOp), time })),
          ];
        });
        expect(foldRecord(padded)).toEqual(foldRecord(ops));
      }),
      { numRuns: 1000 },
    );
  });
});

/** Ops that change nothing after `ops`. */
function noOpsAfter(ops: readonly RecordOp[]): RecordOp[] {
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
