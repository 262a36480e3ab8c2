import { asObject, fail } from '../../protocol/bad-input.ts';
import { type Address, parseAddress, ZERO_ADDRESS } from '../../protocol/hex.ts';

/** The account that a name leads to according to the profile that the server has found for it, null if to none. */
export function parseHolder(answer: Readonly<Record<string, unknown>>, name: string): Address | null {
  if (answer.name !== name) return fail('name', name, answer.name);
  const given = answer.address ?? null;
  if (given === null) {
    const { addr } = asObject(answer.errors, 'errors');
    return addr === undefined ? null : fail('address', 'no error', addr);
  }
  const holder = parseAddress(given) ?? fail('address', 'an address or nothing', given);
  // So it tells of a resolver that holds no address.
  return holder === ZERO_ADDRESS ? null : holder;
}

const ASCII_ENDING = /\.[a-z]{2,}$/;

/**
 * Whether the server looks for a name as it stands. It takes one that ends in anything but letters of ASCII for no
 * name, and asks for every name in lower case, which some normal names are not.
 */
export function isLookedFor(name: string): boolean {
  return ASCII_ENDING.test(name) && name.toLowerCase() === name;
}
