import { describe, expect, it } from 'vitest';
import { identiconOf } from '../../src/http/pages/identicon.ts';

const addressOf = (digits: string) => `0x${digits.padStart(40, '0')}`;

describe('the generated picture of an account', () => {
  it('is the same for the same address', () => {
    expect(identiconOf(addressOf('1'))).toEqual(identiconOf(addressOf('1')));
  });

  it('has colours that depend on the whole address, not on its first digits', () => {
    const addresses = Array.from({ length: 64 }, (_, index) => addressOf(index.toString(16)));
    const colours = new Set(addresses.map((address) => identiconOf(address).background));
    expect(colours.size).toBeGreaterThan(48);
  });
});
