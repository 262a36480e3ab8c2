import { describe, expect, it } from 'vitest';
import { normaliseName } from '../../src/names/normalise-name.ts';

describe('normaliseName', () => {
  it.each([
    ['returns a normalised name unchanged', 'ada.eth', 'ada.eth'],
    ['accepts several dots', 'ada.base.eth', 'ada.base.eth'],
    ['converts ASCII to lower case', 'Ada.ETH', 'ada.eth'],
    ['converts other letters to lower case', 'ZoË.eth', 'zoë.eth'],
    ['composes combining characters', 'zoe\u0308.eth', 'zoë.eth'],
    ['removes the emoji variation selector', '❤\ufe0f.eth', '❤.eth'],
    ['accepts 500 characters', `${'a'.repeat(496)}.eth`, `${'a'.repeat(496)}.eth`],
  ])('%s', (_, text, name) => {
    expect(normaliseName(text)).toBe(name);
  });

  it.each([
    ['the name is empty', ''],
    ['the name has no dot', 'ada'],
    ['the dot is an ideographic full stop', 'ada。eth'],
    ['a label is empty', 'ada..eth'],
    ['the name contains a space', 'ada lovelace.eth'],
    ['the name starts with a space', ' ada.eth'],
    ['an underscore is not leading', 'a_b.eth'],
    ['the name mixes confusable scripts', 'аda.eth'],
    ['the name has more than 500 characters', `${'a'.repeat(497)}.eth`],
  ])('returns null if %s', (_, text) => {
    expect(normaliseName(text)).toBeNull();
  });
});
