import { createHash } from 'node:crypto';
import type { CursorKey } from '../lookup/page.ts';
import { isAbsent, type Parameter, type Parameters, type Values } from './parameters.ts';
import { HttpProblem } from './problems.ts';

/** A cursor is the base64url form of the JSON array `[checksum, …key]`: where the page before ended. */
interface Decoded {
  readonly checksum: unknown;
  readonly key: readonly unknown[];
}

/** Longer texts are no cursors. */
const MAX_LENGTH = 300;

function decode(text: string): Decoded | undefined {
  const bytes = Buffer.from(text.slice(0, MAX_LENGTH), 'base64url');
  // Node skips characters that are not of the alphabet.
  if (bytes.toString('base64url') !== text) return undefined;
  try {
    const values: unknown = JSON.parse(bytes.toString());
    return Array.isArray(values) ? { checksum: values[0], key: values.slice(1) } : undefined;
  } catch {
    return undefined;
  }
}

function encode(lookup: string, key: CursorKey): string {
  return Buffer.from(JSON.stringify([checksumOf(lookup, key), ...key])).toString('base64url');
}

/** Of the lookup as well, so that a cursor of another one is noticed. */
function checksumOf(lookup: string, key: readonly unknown[]): string {
  const hash = createHash('sha256').update(JSON.stringify([lookup, key]));
  return hash.digest('base64url').slice(0, 12);
}

/** The position at which a page begins. `parseKey` returns undefined for what is no key of the lookup. */
export function cursor<K extends CursorKey>(
  parseKey: (values: readonly unknown[]) => K | undefined,
): Parameter<K | null> {
  return {
    schema: {
      type: 'string',
      description: 'Begins the page where another one ended: from its `Link` header. Excludes `offset`.',
    },
    expected: 'the cursor of a Link header',
    parse: (text) => parseKey(decode(text)?.key ?? []),
    defaultValue: () => null,
  };
}

/** What a page depends on, besides its size and position. */
interface Lookup {
  readonly route: { readonly path: string; readonly query: Parameters };
  readonly params: Values<Parameters>;
  /** The query before it was parsed. */
  readonly given: Readonly<Record<string, unknown>>;
  readonly values: Values<Parameters>;
}

/** Parameters that may differ between the pages of one lookup. */
const FREE = ['limit', 'offset', 'cursor', 'include'];

function identify({ route, params, given, values }: Lookup): string {
  const names = Object.keys(route.query).filter((name) => !FREE.includes(name));
  // The value of an absent parameter may depend on the clock, and its documented default does not.
  const bound = names.map((name) => (isAbsent(given[name]) ? route.query[name]?.schema.default : values[name]));
  return JSON.stringify([route.path, params, bound]);
}

/** Rejects a cursor beside an offset, and one that this lookup has not returned. */
export function checkCursor(lookup: Lookup): void {
  const { route, given } = lookup;
  const text = given.cursor;
  if (!('cursor' in route.query) || typeof text !== 'string' || isAbsent(text)) return;
  if (!isAbsent(given.offset)) throw new HttpProblem('invalid-parameter', 'offset and cursor exclude each other');
  const decoded = decode(text);
  if (decoded !== undefined && decoded.checksum === checksumOf(identify(lookup), decoded.key)) return;
  throw new HttpProblem(
    'invalid-parameter',
    'cursor must be one that this lookup returned for the same parameters: it is damaged, or of another lookup',
  );
}

/** The value of a Link header (RFC 8288). Its target is relative, because a proxy may have changed host and path. */
export function linkToNext(lookup: Lookup, key: CursorKey): string {
  const { route, given } = lookup;
  const query = new URLSearchParams();
  for (const name of Object.keys(route.query)) {
    if (name === 'offset' || name === 'cursor' || isAbsent(given[name])) continue;
    for (const value of [given[name]].flat()) query.append(name, String(value));
  }
  query.set('cursor', encode(identify(lookup), key));
  return `<?${query}>; rel="next"`;
}
