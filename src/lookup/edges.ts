import { type BinaryString, toBinary } from '../contract/binary-string.ts';
import { rowCount } from '../store/prepare.ts';
import type { Reader } from '../store/store.ts';
import { type AccountRef, type BuildValue, firstOf, type RefKind, selectForRef } from './account-ref.ts';
import { createReadFromEnd, DEEP_OFFSET } from './edges-from-end.ts';
import { type EdgesPage, inOrder, isIn, ORDERS, type PageShape } from './edges-page.ts';
import { selectEntries } from './entries.ts';
import { getOrCreate } from './get-or-create.ts';
import { countTagRanges, taggedEdges, tagParameters } from './tagged-edges.ts';

/** Returns the entries of a page as JSON, joined with commas. */
type ReadEntries = (ref: AccountRef, page: EdgesPage) => Promise<string>;

/** The edges to an account. */
export function createFollowersLookup(reader: Reader): (ref: AccountRef, page: EdgesPage) => Promise<BinaryString> {
  const prepared = new Map<string, ReadEntries>();
  return async (ref, page) => {
    const { sort, edges, withEns } = page;
    const tagRanges = countTagRanges(page.tags);
    const key = `${ref.kind} ${sort} ${tagRanges} ${edges} ${withEns}`;
    const shape = { order: ORDERS[sort], edges, withEns };
    const read = getOrCreate(prepared, key, () => prepareRead(reader, ref.kind, shape, tagRanges));
    return toBinary(`{"followers":[${await read(ref, page)}]}`);
  };
}

function prepareRead(reader: Reader, kind: RefKind, shape: PageShape, tagRanges: number): ReadEntries {
  const { dialect } = reader;
  const { edges, withEns } = shape;
  const entries = tagRanges === 0 ? untaggedEdges(shape) : taggedEdges(dialect, shape, tagRanges);
  const query = reader.prepareColumn<object, string | null>(selectForRef(dialect, kind, entries));
  const isPlain = tagRanges === 0 && edges !== 'all' && !withEns;
  const readFromEnd = isPlain && dialect.clustered !== '' ? createReadFromEnd(reader, kind, shape) : null;
  return async (ref, page) => {
    const fromEnd = page.offset < DEEP_OFFSET ? null : await readFromEnd?.(ref, page);
    if (fromEnd) return fromEnd.join(',');
    const { account, list, name } = ref;
    const { limit, offset, tags } = page;
    const parameters = { account, list, name, limit, offset };
    const rows = await query(tagRanges === 0 ? parameters : { ...parameters, ...tagParameters(tags) });
    return firstOf(rows, ref) ?? '';
  };
}

/** One range of an index, in its order. */
function untaggedEdges({ order, edges, withEns }: PageShape): BuildValue {
  return (db, account) => {
    const rows = db.selectFrom('edges').select(['entry', 'address']).where('target', '=', account).where(isIn(edges));
    const page = inOrder(rows, order).limit(rowCount('limit')).offset(rowCount('offset'));
    return selectEntries(page, withEns);
  };
}
