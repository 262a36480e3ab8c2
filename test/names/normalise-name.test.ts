import { describe, expect, it } from 'vitest';
import { normaliseName } from '../../src/names/normalise-name.ts';

describe('a name', () => {
  it.each([
    ['stays when it is normal', 'ada.eth', 'ada.eth'],
    ['may have several dots', 'ada.base.eth', 'ada.base.eth'],
    ['is lower-cased', 'Ada.ETH', 'ada.eth'],
    ['is lower-cased beyond ASCII', 'ZoË.eth', 'zoë.eth'],
    ['is composed', 'zoe\u0308.eth', 'zoë.eth'],
    ['loses the mark that asks for a coloured emoji', '❤\ufe0f.eth', '❤.eth'],
    ['may have 500 characters', `${'a'.repeat(496)}.eth`, `${'a'.repeat(496)}.eth`],
  ])('%s', (_, text, name) => {
    expect(normaliseName(text)).toBe(name);
  });

  it.each([
    ['it is empty', ''],
    ['it has no dot', 'ada'],
    ['its dot is of another script', 'ada。eth'],
    ['a part is empty', 'ada..eth'],
    ['it has a space within', 'ada lovelace.eth'],
    ['it has a space in front', ' ada.eth'],
    ['it has an underscore within', 'a_b.eth'],
    ['it mixes letters of scripts that look alike', 'аda.eth'],
    ['it has more than 500 characters', `${'a'.repeat(497)}.eth`],
  ])('is none when %s', (_, text) => {
    expect(normaliseName(text)).toBeNull();
  });
});
