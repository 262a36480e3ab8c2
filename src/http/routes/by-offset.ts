import { isWhole, type Page, type Paged } from '../../lookup/page.ts';
import type { Reader } from '../../store/store.ts';
import { cursor } from '../cursor.ts';
import * as parameter from '../parameters.ts';
import { MAX_OFFSET, offset } from './route.ts';

type OffsetKey = readonly [offset: number];

/** For orders that have no key to continue from: the cursor is an offset, and the order as of each request. */
export const offsetCursor = cursor<OffsetKey>(([offset, ...rest]) =>
  isWhole(offset, MAX_OFFSET) && rest.length === 0 ? [offset] : undefined,
);

/** The parameters of such a page. */
export function offsetPage(defaultLimit: number) {
  return { limit: parameter.limit(defaultLimit), offset, cursor: offsetCursor };
}

type LookupByOffset<B, R, Q extends Page> = (reader: Reader, subject: R, query: Q) => Promise<B>;
type PageByOffset<B, R, Q extends Page> = LookupByOffset<Paged<B>, R, Q & { readonly cursor: OffsetKey | null }>;

/** Makes pages of a lookup by offset, whose entries are the property `entries` of its body. */
export function byOffset<N extends string, B extends Readonly<Record<N, unknown[]>>, R, Q extends Page>(
  entries: N,
  lookup: LookupByOffset<B, R, Q>,
): PageByOffset<B, R, Q> {
  return pages(
    lookup,
    (body) => body[entries].length,
    (body, limit) => ({ ...body, [entries]: body[entries].slice(0, limit) }),
  );
}

/** The same for a lookup whose body is an array. */
export function rowsByOffset<B extends unknown[], R, Q extends Page>(
  lookup: LookupByOffset<B, R, Q>,
): PageByOffset<B, R, Q> {
  return pages(
    lookup,
    (rows) => rows.length,
    // Safe: a part of an array of any length has its type.
    (rows, limit) => rows.slice(0, limit) as B,
  );
}

function pages<B, R, Q extends Page>(
  lookup: LookupByOffset<B, R, Q>,
  lengthOf: (body: B) => number,
  cut: (body: B, limit: number) => B,
): PageByOffset<B, R, Q> {
  return async (reader, subject, query) => {
    const { limit } = query;
    const [offset] = query.cursor ?? [query.offset];
    // One more than the page has, to know whether another page follows.
    const body = await lookup(reader, subject, { ...query, offset, limit: limit + 1 });
    if (lengthOf(body) <= limit) return { body, next: null };
    const next = offset + limit;
    return { body: cut(body, limit), next: next > MAX_OFFSET ? null : [next] };
  };
}
