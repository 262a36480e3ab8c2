import { asObject, fail } from '../../protocol/bad-input.ts';
import { type Address, parseAddress, ZERO_ADDRESS } from '../../protocol/hex.ts';

/** Parses the address that a name resolves to; null if it resolves to none. */
export function parseHolder(json: Readonly<Record<string, unknown>>, name: string): Address | null {
  if (json.name !== name) return fail('name', name, json.name);
  const given = json.address ?? null;
  if (given === null) {
    const { addr } = asObject(json.errors, 'errors');
    return addr === undefined ? null : fail('address', 'no error', addr);
  }
  const holder = parseAddress(given) ?? fail('address', 'an address or null', given);
  // enstate returns the zero address if the resolver has no address record.
  return holder === ZERO_ADDRESS ? null : holder;
}

const ASCII_ENDING = /\.[a-z]{2,}$/;

/**
 * Whether enstate can resolve a name. It rejects top-level domains that are not ASCII letters, and lower-cases every
 * name, which changes some normalised names.
 */
export function isSupportedName(name: string): boolean {
  return ASCII_ENDING.test(name) && name.toLowerCase() === name;
}
