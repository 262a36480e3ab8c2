import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Candidates, gramsOf, isPartOfAddress, searchOf } from '../../src/graph/search-grams.ts';

const address = fc
  .array(fc.constantFrom(...'0123456789abcdef'), { minLength: 40, maxLength: 40 })
  .map((digits) => `0x${digits.join('')}`);
/** Few characters, so that terms match, and some with a meaning in query syntax. */
const characters = fc.constantFrom(...'ab01x.-"*^ %é🚀𝒳');
const name = fc.array(characters, { maxLength: 12 }).map((all) => all.join(''));
const member = fc.record({ address, name: fc.oneof(name, fc.constant('')) });

function isCandidate(candidates: Candidates, grams: ReadonlySet<string>): boolean {
  return candidates === 'all' || candidates.some((set) => set.every((gram) => grams.has(gram)));
}

/** A substring by code points, as a user would type it. */
function pieceOf(text: string, from: number, length: number): string {
  const all = [...text];
  const start = from % Math.max(1, all.length);
  return all.slice(start, start + length).join('');
}

describe('the grams of accounts', () => {
  it('find every account that is equal to, starts with or contains a term', () => {
    const piece = fc.record({ from: fc.nat(50), length: fc.integer({ min: 1, max: 50 }), ofName: fc.boolean() });
    fc.assert(
      fc.property(member, piece, ({ address, name }, { from, length, ofName }) => {
        const term = pieceOf(ofName ? name : address, from, length);
        fc.pre(term !== '');
        const grams = new Set(gramsOf(address, name).split(' '));
        const { equal, start, within } = searchOf(term);
        const texts = [name, address];
        const tier = texts.includes(term) ? equal : texts.some((text) => text.startsWith(term)) ? start : within;
        expect({ term, name, address, found: isCandidate(tier, grams) }).toMatchObject({ found: true });
      }),
      { numRuns: 3_000 },
    );
  });

  it('contain no separator and no character of the query syntax', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(gramsOf(`0x${'0'.repeat(40)}`, text.toLowerCase())).toMatch(
          /^[0-9a-z\u0080-\u{10ffff}]+( [0-9a-z\u0080-\u{10ffff}]+)*$/u,
        );
      }),
    );
  });

  it.each([
    ['a term that every address starts with', '0x', 'start'],
    ['the first character of every address', '0', 'start'],
    ['a digit, which nearly every address has', 'a', 'within'],
    ['two digits, which every seventh address has', 'ab', 'within'],
    ['the letter that every address has', 'x', 'within'],
  ] as const)('do not narrow the candidates for %s', (_, term, tier) => {
    expect(searchOf(term)[tier]).toBe('all');
  });

  it.each([
    ['0', { start: 'all', within: [['z']] }],
    ['0x', { start: 'all', within: [['z']] }],
    ['moth', { start: [['smoth']], within: [['nmoth']] }],
    ['mothers', { start: [['smothers']], within: [['nmother', 'nothers']] }],
    ['mothersday', { start: [['smothersd', 'nmother', 'nersday']], within: [['nmother', 'nersday']] }],
    ['moth.eth', { start: [['smoth\ue02eeth']], within: [['nmoth\ue02ee', 'nth\ue02eeth']] }],
    ['dead', { start: [['sdead']], within: [['ndead'], ['hdead']] }],
    ['0x1234', { start: [['s0x1234'], ['a1234']], within: [['n0x1234']] }],
    ['x1', { start: [['sx1']], within: [['nx1'], ['a1']] }],
  ])('for the term %s are few and long', (term, expected) => {
    expect(searchOf(term)).toMatchObject(expected);
  });
});

describe('a part of an address', () => {
  it.each(['0', '0x', 'x', 'x0', '0xab', 'abc', '00'])('can be %s', (term) => {
    expect(isPartOfAddress(term)).toBe(true);
  });

  it.each(['g', '0xg', 'xx', '00x', 'ax', 'a.', '0x '])('cannot be %j', (term) => {
    expect(isPartOfAddress(term)).toBe(false);
  });
});
