import { describe, expect, it } from 'vitest';
import { normaliseName } from '../../src/names/normalise-name.ts';

describe('a name', () => {
  it.each([
    ['stays when it is normal', 'ada.eth', 'ada.eth'],
    ['is lower-cased', 'Ada.ETH', 'ada.eth'],
    ['may be of another top level', 'ada.base.eth', 'ada.base.eth'],
    ['keeps letters beyond ASCII', 'Zoë.eth', 'zoë.eth'],
    ['is composed', 'zoe\u0308.eth', 'zoë.eth'],
    ['loses the mark that asks for a coloured emoji', '❤\ufe0f.eth', '❤.eth'],
    ['may have a full stop of another script', 'ada。eth', null],
    ['needs a dot', 'ada', null],
    ['is not empty', '', null],
    ['has no empty part', 'ada..eth', null],
    ['has no space', 'ada lovelace.eth', null],
    ['is not trimmed', ' ada.eth', null],
    ['has no underscore within', 'a_b.eth', null],
    ['mixes no scripts that look alike', 'аda.eth', null],
    ['is not of any length', `${'a'.repeat(1000)}.eth`, null],
  ])('%s: %j', (_, text, name) => {
    expect(normaliseName(text)).toBe(name);
  });
});
