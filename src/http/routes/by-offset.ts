import { isWhole, type Page, type Paged } from '../../lookup/page.ts';
import type { Reader } from '../../store/store.ts';
import { cursor } from '../cursor.ts';
import * as parameter from '../parameters.ts';

const MAX_OFFSET = 2 ** 31 - 1;
export const offset = parameter.integer('Index of the first entry of the page.', 0, MAX_OFFSET, 0);

type OffsetKey = readonly [offset: number];

/** For orders that have no key to continue from: the cursor is an offset, and the order as of each request. */
export const offsetCursor = cursor<OffsetKey>(([offset, ...rest]) =>
  isWhole(offset, MAX_OFFSET) && rest.length === 0 ? [offset] : undefined,
);

/** The parameters of such a page. */
export function offsetPage(defaultLimit: number) {
  return { limit: parameter.limit(defaultLimit), offset, cursor: offsetCursor };
}

type LookupByOffset<B, R, Q extends Page> = (reader: Reader, about: R, query: Q) => Promise<B>;
type PageByOffset<B, R, Q extends Page> = LookupByOffset<Paged<B>, R, Q & { readonly cursor: OffsetKey | null }>;

/** Makes pages of a lookup by offset. `entriesOf` returns the array in its body that has an entry for each row. */
export function byOffset<B, R, Q extends Page>(
  lookup: LookupByOffset<B, R, Q>,
  entriesOf: (body: B) => unknown[],
): PageByOffset<B, R, Q> {
  return async (reader, about, query) => {
    const { limit } = query;
    const [offset] = query.cursor ?? [query.offset];
    // One more than the page has, to know whether another page follows.
    const body = await lookup(reader, about, { ...query, offset, limit: limit + 1 });
    const further = entriesOf(body).splice(limit);
    const next = offset + limit;
    return { body, next: further.length === 0 || next > MAX_OFFSET ? null : [next] };
  };
}
