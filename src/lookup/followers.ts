import { sql } from 'kysely';
import type { BinaryString } from '../contract/binary-string.ts';
import { followersBody } from '../contract/bodies.ts';
import { rowCount } from '../store/prepare.ts';
import type { Reader } from '../store/store.ts';
import { createEarliestFollowers } from './earliest-followers.ts';
import { createReadFar } from './far-followers.ts';
import { joinEntries } from './join-entries.ts';
import { type AccountOf, type BuildText, firstOf, type Subject, type SubjectKind, textOfSubject } from './subject.ts';
import { popularTaggedFollowers, tagArms, taggedFollowers, tagParameters } from './tagged-followers.ts';
import { popularFollowers, unlessSomeWait } from './waiting-followers.ts';

export const SORTS = ['latest', 'earliest', 'followers'] as const;
type Sort = (typeof SORTS)[number];

export interface FollowersPage {
  readonly limit: number;
  readonly offset: number;
  /** Normalised; a follower has at least one of them. None: every follower. */
  readonly tags: readonly string[];
  readonly sort: Sort;
}

/** The index order that each sort reads along. Ties go by address. */
const ORDERS = {
  latest: ['time', 'desc'],
  earliest: ['time', 'asc'],
  followers: ['popularity', 'desc'],
} as const satisfies Record<Sort, unknown>;
export type Order = (typeof ORDERS)[Sort];

/** Gives the entries of a page as they are answered; null when there are none. */
export type AskFollowers = (subject: Subject, page: Omit<FollowersPage, 'sort'>) => Promise<string | null>;

/** The followers of an account. Asked by list, those that the account blocks or mutes are left out. */
export function createFollowersLookup(
  reader: Reader,
  accountOf: AccountOf,
): (subject: Subject, page: FollowersPage) => Promise<BinaryString> {
  const prepared = new Map<string, AskFollowers>();
  const prepare = (kind: SubjectKind, sort: Sort, arms: number) => {
    const { dialect, sync: direct } = reader;
    if (arms > 0 || direct === null) return createAsk(reader, kind, sort, arms);
    if (sort === 'earliest') return createEarliestFollowers(dialect, direct, kind, accountOf);
    const ask = createAsk(reader, kind, sort, arms);
    const [column, direction] = ORDERS[sort];
    const readFar = createReadFar(dialect, direct, kind, { column, direction, ties: 'asc' });
    return async (subject: Subject, page: Omit<FollowersPage, 'sort'>) =>
      readFar(subject, page)?.join(',') ?? ask(subject, page);
  };
  return async (subject, page) => {
    const arms = tagArms(page.tags);
    const key = `${subject.kind} ${page.sort} ${arms}`;
    let ask = prepared.get(key);
    if (ask === undefined) prepared.set(key, (ask = prepare(subject.kind, page.sort, arms)));
    return followersBody((await ask(subject, page)) ?? '');
  };
}

function createAsk(reader: Reader, kind: SubjectKind, sort: Sort, arms: number): AskFollowers {
  const { dialect } = reader;
  const order = ORDERS[sort];
  const isByList = kind === 'list';
  const plain = arms === 0 ? plainFollowers(order, isByList) : taggedFollowers(dialect, order, isByList, arms);
  const merged = arms === 0 ? popularFollowers(dialect, isByList) : popularTaggedFollowers(dialect, isByList, arms);
  const text = sort === 'followers' ? unlessSomeWait(dialect, plain, merged) : plain;
  const query = reader.prepareColumn<object, string | null>(textOfSubject(dialect, kind, text));
  return async (subject, { limit, offset, tags }) => {
    const { account, list, name } = subject;
    const page = { account, list, name, limit, offset };
    return firstOf(await query(arms === 0 ? page : { ...page, ...tagParameters(tags) }), subject);
  };
}

/** One range of the index, read in order. */
function plainFollowers([column, direction]: Order, isByList: boolean): BuildText {
  return (db, account) =>
    joinEntries(
      db
        .selectFrom('followers')
        .select('entry')
        .where('target', '=', account)
        .$if(isByList, (query) => query.where('hidden', '=', sql.lit(0)))
        .orderBy(column, direction)
        .orderBy('address')
        .limit(rowCount('limit'))
        .offset(rowCount('offset')),
    );
}
