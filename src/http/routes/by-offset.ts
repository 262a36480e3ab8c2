import { isWhole, type Page, type Paged } from '../../lookup/page.ts';
import type { Reader } from '../../store/store.ts';
import { cursor } from '../cursor.ts';
import { MAX_OFFSET } from './route.ts';

type OffsetKey = readonly [offset: number];

/** For orders that have no key to continue from: the cursor is an offset, and the order as of each request. */
export const offsetCursor = cursor<OffsetKey>(([offset, ...rest]) =>
  isWhole(offset, MAX_OFFSET) && rest.length === 0 ? [offset] : undefined,
);

/** Makes pages of a lookup by offset, whose entries are the property `entries` of its body. */
export function byOffset<N extends string, B extends Readonly<Record<N, unknown[]>>, R, Q extends Page>(
  entries: N,
  lookup: (reader: Reader, subject: R, query: Q) => Promise<B>,
): (reader: Reader, subject: R, query: Q & { readonly cursor: OffsetKey | null }) => Promise<Paged<B>> {
  return async (reader, subject, query) => {
    const { limit } = query;
    const [offset] = query.cursor ?? [query.offset];
    // One more than the page has, to know whether another page follows.
    const body = await lookup(reader, subject, { ...query, offset, limit: limit + 1 });
    if (body[entries].length <= limit) return { body, next: null };
    const next = offset + limit;
    return { body: { ...body, [entries]: body[entries].slice(0, limit) }, next: next > MAX_OFFSET ? null : [next] };
  };
}
