import { createHash } from 'node:crypto';
import { type CursorKey, isWhole, type Page, type PageBody, type Paged } from '../../lookup/page.ts';
import type { Reader } from '../../store/store.ts';
import { HttpProblem } from '../problems.ts';
import { integer, limit, type Parameter, type Parameters, type Values } from './parameters.ts';

/** Longer texts are no cursors. */
const MAX_LENGTH = 300;

/** A cursor is the base64url form of the JSON array `[checksum, …key]`: where the page before ended. */
function decode(text: string): { readonly checksum: unknown; readonly key: readonly unknown[] } | undefined {
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

const MAX_OFFSET = 2 ** 31 - 1;
export const offset = integer('Index of the first entry of the page.', 0, MAX_OFFSET, 0);

type OffsetKey = readonly [offset: number];

/** For orders that have no key to continue from: the cursor is an offset, and the order as of each request. */
export const offsetCursor = cursor<OffsetKey>(([offset, ...rest]) =>
  isWhole(offset, MAX_OFFSET) && rest.length === 0 ? [offset] : undefined,
);

/** The parameters of such a page. */
export function offsetPage(defaultLimit: number) {
  return { limit: limit(defaultLimit), offset, cursor: offsetCursor };
}

/** Makes pages of a lookup by offset. */
export function byOffset<B, R, Q extends Page>(
  lookup: (reader: Reader, about: R, query: Q) => Promise<PageBody<B>>,
): (reader: Reader, about: R, query: Q & { readonly cursor: OffsetKey | null }) => Promise<Paged<B>> {
  return async (reader, about, query) => {
    const { limit } = query;
    const [offset] = query.cursor ?? [query.offset];
    // One more than the page has, to know whether another page follows.
    const { length, part } = await lookup(reader, about, { ...query, offset, limit: limit + 1 });
    const next = offset + limit;
    return {
      body: { length: Math.min(length, limit), part },
      next: length <= limit || next > MAX_OFFSET ? null : [next],
    };
  };
}

/** The parameters of the query that the route has, before they were parsed. Links repeat them. */
export type Given = Readonly<Record<string, string>>;

/** What a page depends on, besides its size and position. */
interface Lookup {
  readonly route: { readonly path: string; readonly query: Parameters };
  readonly params: Values<Parameters>;
  readonly query: Values<Parameters>;
  readonly given: Given;
}

/** Parameters that may differ between the pages of one lookup. */
const FREE = ['limit', 'offset', 'cursor', 'include'];

function identify({ route, params, given, query }: Lookup): string {
  const names = Object.keys(route.query).filter((name) => !FREE.includes(name));
  const bound = names.map((name) => (given[name] === undefined ? route.query[name]?.schema.default : query[name]));
  return JSON.stringify([route.path, params, bound]);
}

/** Of the parameters in a link: escaped, these are at most 9,000, and clients and proxies take headers of 16 KB. */
const MAX_CHARACTERS = 1_000;

/** The parameters that the link to the next page repeats. */
function repeated({ given }: Lookup): [name: string, value: string][] {
  return Object.entries(given).filter(([name]) => name !== 'offset' && name !== 'cursor');
}

/** Rejects a cursor beside an offset, one that this lookup has not returned, and parameters too long for a link. */
export function checkCursor(lookup: Lookup): void {
  const { route, given } = lookup;
  if (!('cursor' in route.query)) return;
  const characters = repeated(lookup).reduce((sum, [, value]) => sum + value.length, 0);
  if (characters > MAX_CHARACTERS)
    throw new HttpProblem(
      'invalid-parameter',
      `the parameters must have at most ${MAX_CHARACTERS} characters together, got ${characters}`,
    );
  const text = given.cursor;
  if (text === undefined) return;
  if (given.offset !== undefined) throw new HttpProblem('invalid-parameter', 'offset and cursor exclude each other');
  const decoded = decode(text);
  if (decoded !== undefined && decoded.checksum === checksumOf(identify(lookup), decoded.key)) return;
  throw new HttpProblem(
    'invalid-parameter',
    'cursor must be one that this lookup returned for the same parameters: it is damaged, or of another lookup',
  );
}

/** The value of a Link header (RFC 8288). Its target is relative, because a proxy may have changed host and path. */
export function linkToNext(lookup: Lookup, key: CursorKey): string {
  const query = new URLSearchParams(repeated(lookup));
  query.set('cursor', encode(identify(lookup), key));
  return `<?${query}>; rel="next"`;
}
