import type { UnixMs } from '../async/unix-time.ts';
import { type Spliced, type StoredEns, splice } from '../contract/schemas.ts';
import { serialiseEns } from '../contract/serialise.ts';
import { asObject, fail, parseOptionalText, parseTimeMs } from '../errors/bad-input.ts';
import { compareCodePoints } from '../protocol/code-points.ts';
import { type Address, parseAddress, shortAddress, ZERO_ADDRESS } from '../protocol/hex.ts';
import type { Row } from '../store/schema.ts';
import { normaliseName } from './normalise-name.ts';

/**
 * Of a profile as JSON. Anyone can set records of any length, and a page may show a thousand profiles. With 100
 * characters in each text record that is fetched, a profile has 3 KB, with 600 characters 14 KB.
 */
export const MAX_PROFILE_BYTES = 16_384;
export const LEFT_OUT = `left out, the profile would have more than ${MAX_PROFILE_BYTES} bytes`;

/** Text records that every profile has, with their defaults. */
const DEFAULT_RECORDS = { avatar: '', description: '', header: '', name: '' };

/** The fields that are texts of any length. The name and its display form are bounded by `normaliseName`. */
const TEXTS = ['avatar', 'header', 'resolver'] as const;
const GROUPS = ['records', 'chains', 'errors'] as const;

/** A text of a profile, with its place. */
interface Part {
  readonly field: (typeof TEXTS)[number] | (typeof GROUPS)[number];
  readonly key: string;
  /** Its key in `errors`. */
  readonly path: string;
  readonly bytes: number;
}

/**
 * Leaves out the longest texts of a profile until it has `MAX_PROFILE_BYTES`, of equal ones the first by path. Each of
 * them becomes an error, unless the error is longer.
 */
function capProfile(ens: StoredEns): StoredEns {
  let bytes = bytesOf(ens);
  if (bytes <= MAX_PROFILE_BYTES) return ens;
  const capped = { ...ens, records: { ...ens.records }, chains: { ...ens.chains }, errors: { ...ens.errors } };
  for (const part of partsOf(ens)) {
    if (bytes <= MAX_PROFILE_BYTES) break;
    bytes -= remove(capped, part);
    const errorBytes = sizeOf(part.path, LEFT_OUT);
    const hasError = part.field === 'errors' || Object.hasOwn(capped.errors, part.path);
    if (hasError || errorBytes >= part.bytes) continue;
    capped.errors[part.path] = LEFT_OUT;
    bytes += errorBytes;
  }
  return capped;
}

/** A stored profile, which may be from a time without a bound. */
export function boundedEns(json: string): string {
  if (Buffer.byteLength(json) <= MAX_PROFILE_BYTES) return json;
  // Safe: the column holds what `serialiseEns` wrote.
  return serialiseEns(capProfile(JSON.parse(json) as StoredEns));
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** The bytes of a property with the colon and a comma. */
function sizeOf(key: string, text: string): number {
  return bytesOf(key) + bytesOf(text) + 2;
}

function partsOf(ens: StoredEns): Part[] {
  const own = TEXTS.map((field) => partOf(field, field, field, ens[field]));
  const grouped = GROUPS.flatMap((field) =>
    Object.entries(ens[field]).map(([key, text]) => partOf(field, key, `${field}.${key}`, text)),
  );
  return [...own, ...grouped].sort((a, b) => b.bytes - a.bytes || compareCodePoints(a.path, b.path));
}

function partOf(field: Part['field'], key: string, path: string, text: string): Part {
  return { field, key, path, bytes: sizeOf(key, text) };
}

type Texts = Record<string, string>;

/** Returns the bytes that are gained. Fields and records that every profile has stay, as empty texts. */
function remove(ens: StoredEns, { field, key, bytes }: Part): number {
  if (field === 'records' && Object.hasOwn(DEFAULT_RECORDS, key)) {
    (ens.records as Texts)[key] = '';
    return bytes - sizeOf(key, '');
  }
  if (field === 'records' || field === 'chains' || field === 'errors') {
    delete (ens[field] as Texts)[key];
    return bytes;
  }
  ens[field] = '';
  return bytes - sizeOf(key, '');
}

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
    fresh: parseTimeMs('fresh', raw.fresh),
    resolver: parseOptionalText('resolver', raw.resolver),
    errors: parseTexts('errors', raw.errors),
  });
}

/** Imported profiles have the content hash apart from the text records. */
function recordsOf({ records, contenthash }: Readonly<Record<string, unknown>>): unknown {
  return typeof contenthash === 'string' ? { ...asObject(records ?? {}, 'records'), contenthash } : records;
}

/** Builds the row of a profile, within the bound of `capProfile`. `display` is the letter case that the holder prefers, or empty. */
export function profileRow(address: Address, given: StoredEns): Row<'profiles'> {
  const { name, fresh } = given;
  const profile = capProfile({
    name,
    avatar: storable(given.avatar),
    header: storable(given.header),
    display: displayOf(name, storable(given.display), address),
    records: { ...DEFAULT_RECORDS, ...storableTexts(given.records) },
    chains: storableTexts(given.chains),
    fresh,
    resolver: storable(given.resolver).toLowerCase(),
    errors: storableTexts(given.errors),
  });
  const { avatar, header } = profile;
  return { address, name, search_name: name.toLowerCase(), avatar, header, fresh, ens: serialiseEns(profile) };
}

/** The serialised profile of an account without a stored one. */
export function emptyProfile(address: Address): string {
  return EMPTY.replace(shortAddress(ZERO_ADDRESS), shortAddress(address));
}

/** The row of an account without a primary name. */
export function namelessRow(address: Address, fresh: UnixMs): Row<'profiles'> {
  const texts = { name: '', avatar: '', header: '', display: '', resolver: '' };
  return profileRow(address, { ...texts, records: {}, chains: {}, fresh, errors: {} });
}

const EMPTY = namelessRow(ZERO_ADDRESS, 0).ens;

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

/** The texts of a profile have no quotation marks that are not escaped. */
const FRESH = /,"fresh":(\d+),"resolver":/;

/** The stored profile with `updated_at`, as JSON. */
export function ensJson(stored: string | null, address: Address): string {
  const ens = stored === null ? emptyProfile(address) : boundedEns(stored);
  const fresh = Number(FRESH.exec(ens)?.[1]);
  return `${ens.slice(0, -1)},"updated_at":"${fresh === 0 ? '' : new Date(fresh).toISOString()}"}`;
}

/** The same as a part of an answer. */
export function ensOf(stored: string | null, address: Address): Spliced {
  return splice(ensJson(stored, address));
}
