import type { UnixMs } from '../async/unix-time.ts';
import type { StoredEns } from '../contract/schemas.ts';
import { serialiseEns } from '../contract/serialise.ts';
import { asObject, fail, parseOptionalText, parseWholeNumber } from '../errors/bad-input.ts';
import { type Address, parseAddress, shortAddress } from '../protocol/hex.ts';
import type { Row } from '../store/schema.ts';
import { normaliseName } from './normalise-name.ts';

/** Text records that every profile has, with their defaults. */
const DEFAULT_RECORDS = { avatar: '', description: '', header: '', name: '' };

/** Parses an imported profile. */
export function parseProfile(value: unknown): Row<'profiles'> {
  const raw = asObject(value);
  const address = parseAddress(raw.address) ?? fail('address', 'an address', raw.address);
  const given = parseOptionalText('name', raw.name);
  return profileRow(address, {
    // Clients look names up in normalised form, so any other name could not be found.
    name: normaliseName(given) === given ? given : '',
    avatar: parseOptionalText('avatar', raw.avatar),
    header: parseOptionalText('header', raw.header),
    display: parseOptionalText('display', raw.display),
    records: parseTexts('records', recordsOf(raw)),
    chains: parseTexts('chains', raw.chains),
    fresh: parseWholeNumber('fresh', raw.fresh, 'a time in Unix milliseconds'),
    resolver: parseOptionalText('resolver', raw.resolver),
    errors: parseTexts('errors', raw.errors),
  });
}

/** Imported profiles have the content hash apart from the text records. */
function recordsOf({ records, contenthash }: Readonly<Record<string, unknown>>): unknown {
  return typeof contenthash === 'string' ? { ...asObject(records ?? {}, 'records'), contenthash } : records;
}

/** Builds the row of a profile. `display` is the letter case that the holder prefers, or empty. */
export function profileRow(address: Address, given: StoredEns): Row<'profiles'> {
  const { name, fresh } = given;
  const avatar = storable(given.avatar);
  const header = storable(given.header);
  const ens = serialiseEns({
    name,
    avatar,
    header,
    display: displayOf(name, storable(given.display), address),
    records: { ...DEFAULT_RECORDS, ...storableTexts(given.records) },
    chains: storableTexts(given.chains),
    fresh,
    resolver: storable(given.resolver).toLowerCase(),
    errors: storableTexts(given.errors),
  });
  return { address, name, search_name: name.toLowerCase(), avatar, header, fresh, ens };
}

/** The serialised profile of an account without a stored one. */
export function emptyProfile(address: Address): string {
  return namelessRow(address, 0).ens;
}

/** The row of an account without a primary name. */
export function namelessRow(address: Address, fresh: UnixMs): Row<'profiles'> {
  const texts = { name: '', avatar: '', header: '', display: '', resolver: '' };
  return profileRow(address, { ...texts, records: {}, chains: {}, fresh, errors: {} });
}

function displayOf(name: string, preferred: string, address: Address): string {
  if (name === '') return shortAddress(address);
  return normaliseName(preferred) === name ? preferred : name;
}

/** PostgreSQL cannot store NUL or lone surrogates in text. */
function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

function storableTexts(texts: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [storable(key), storable(text)]));
}

function parseTexts(field: string, value: unknown): Record<string, string> {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) return fail(field, 'an object of strings', value);
  return Object.fromEntries(
    Object.entries(value).map(([key, text]) => [key, parseOptionalText(`${field}.${key}`, text)]),
  );
}
