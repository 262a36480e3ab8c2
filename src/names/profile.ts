import { asObject, fail } from '../bad-input.ts';
import { serialiseEns } from '../contract/serialise.ts';
import { type Address, parseAddress } from '../protocol/hex.ts';
import type { Row } from '../store/schema.ts';
import { normaliseName } from './normalise-name.ts';

/** Text records that every profile carries, empty when there is none. */
const ALWAYS_THERE = { avatar: '', description: '', header: '', name: '' };

/** What an enstate server says about an account, as the row that answers are read from. */
export function parseProfile(value: unknown): Row<'profiles'> {
  const raw = asObject(value);
  const address = parseAddress(raw.address) ?? fail('address', 'an address', raw.address);
  const given = raw.name ?? '';
  if (typeof given !== 'string') return fail('name', 'text or null', given);
  // A name that is not its own normal form is not one that anybody could ask for.
  const name = normaliseName(given) === given ? given : '';
  const fresh = parseFresh(raw.fresh);
  const avatar = parseText('avatar', raw.avatar);
  const ens = serialiseEns({
    name,
    avatar,
    header: parseText('header', raw.header),
    display: displayOf(name, parseText('display', raw.display), address),
    records: { ...ALWAYS_THERE, ...parseTexts('records', raw.records) },
    chains: parseTexts('chains', raw.chains),
    fresh,
    resolver: parseText('resolver', raw.resolver).toLowerCase(),
    errors: parseTexts('errors', raw.errors),
  });
  return { address, name, avatar, fresh, ens };
}

/** What is answered for an account that has no profile. */
export function emptyProfile(address: Address): string {
  return serialiseEns({
    name: '',
    avatar: '',
    header: '',
    display: shortAddress(address),
    records: ALWAYS_THERE,
    chains: {},
    fresh: 0,
    resolver: '',
    errors: {},
  });
}

/** The name, in the letter case that its holder prefers. */
function displayOf(name: string, preferred: string, address: Address): string {
  if (name === '') return shortAddress(address);
  return normaliseName(preferred) === name ? preferred : name;
}

function shortAddress(address: Address): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`;
}

function parseText(field: string, value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? storable(value) : fail(field, 'text or null', value);
}

/** Not every engine can hold NUL or half a surrogate pair in a text. */
function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

function parseTexts(field: string, value: unknown): Record<string, string> {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) return fail(field, 'an object of texts', value);
  return Object.fromEntries(
    Object.entries(value).map(([key, text]) => [storable(key), parseText(`${field}.${key}`, text)]),
  );
}

function parseFresh(value: unknown): number {
  const valid = Number.isSafeInteger(value) && (value as number) >= 0;
  return valid ? (value as number) : fail('fresh', 'a time in Unix milliseconds', value);
}
