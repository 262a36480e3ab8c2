import { sql } from 'kysely';
import type { BinaryString } from '../contract/binary-string.ts';
import { followersBody } from '../contract/bodies.ts';
import { RELATION_CODES } from '../graph/relation.ts';
import { rowCount } from '../store/prepare.ts';
import type { Reader } from '../store/store.ts';
import { type AccountRef, type BuildValue, firstOf, type RefKind, selectForRef } from './account-ref.ts';
import { inOrder, type Order } from './follower-order.ts';
import { createReadFromEnd } from './followers-from-end.ts';
import { joinEntries } from './join-entries.ts';
import { countTagRanges, taggedFollowers, tagParameters } from './tagged-followers.ts';

export const SORTS = ['latest', 'earliest', 'followers'] as const;
type Sort = (typeof SORTS)[number];

export interface FollowersPage {
  readonly limit: number;
  readonly offset: number;
  /** Normalised; a follower has at least one of them. Empty: every follower. */
  readonly tags: readonly string[];
  readonly sort: Sort;
}

const ORDERS: Readonly<Record<Sort, Order>> = {
  latest: { key: 'time', direction: 'desc', ties: 'asc' },
  earliest: { key: 'time', direction: 'asc', ties: 'desc' },
  followers: { key: 'popularity', direction: 'desc', ties: 'asc' },
};

/** Returns the entries of a page as JSON, joined with commas; null when there are none. */
type ReadEntries = (ref: AccountRef, page: FollowersPage) => Promise<string | null>;

/** The followers of an account. By list, followers that the account blocks or mutes are left out. */
export function createFollowersLookup(reader: Reader): (ref: AccountRef, page: FollowersPage) => Promise<BinaryString> {
  const prepared = new Map<string, ReadEntries>();
  return async (ref, page) => {
    const tagRanges = countTagRanges(page.tags);
    const key = `${ref.kind} ${page.sort} ${tagRanges}`;
    let read = prepared.get(key);
    if (read === undefined) prepared.set(key, (read = prepareRead(reader, ref.kind, ORDERS[page.sort], tagRanges)));
    return followersBody((await read(ref, page)) ?? '');
  };
}

function prepareRead(reader: Reader, kind: RefKind, order: Order, tagRanges: number): ReadEntries {
  const { dialect, sync } = reader;
  const isByList = kind === 'list';
  const entries =
    tagRanges === 0 ? allFollowers(order, isByList) : taggedFollowers(dialect, order, isByList, tagRanges);
  const query = reader.prepareColumn<object, string | null>(selectForRef(dialect, kind, entries));
  const readFromEnd = tagRanges > 0 || sync === null ? null : createReadFromEnd(dialect, sync, kind, order);
  return async (ref, page) => {
    const fromEnd = readFromEnd?.(ref, page) ?? null;
    if (fromEnd !== null) return fromEnd.join(',');
    const { account, list, name } = ref;
    const { limit, offset, tags } = page;
    const parameters = { account, list, name, limit, offset };
    return firstOf(await query(tagRanges === 0 ? parameters : { ...parameters, ...tagParameters(tags) }), ref);
  };
}

/** One range of an index, in its order. */
function allFollowers(order: Order, isByList: boolean): BuildValue {
  return (db, account) => {
    const followers = db
      .selectFrom('edges')
      .select('entry')
      .where('target', '=', account)
      .where('relation', '=', sql.lit(RELATION_CODES.follow))
      .$if(isByList, (query) => query.where('hidden', '=', sql.lit(0)));
    return joinEntries(inOrder(followers, order).limit(rowCount('limit')).offset(rowCount('offset')));
  };
}
