import { type RawBuilder, sql } from 'kysely';
import type { AddressesBody, FollowingBody, RecordsBody } from '../../contract/lookup-schemas.ts';
import type { Address } from '../../protocol/hex.ts';
import type { Dialect } from '../../store/dialect.ts';
import { statements } from '../../store/statement.ts';
import type { Reader, StreamReader } from '../../store/store.ts';
import { EARLIEST, LATEST, orderBy, orderOf, type Start, selectPage, startOf } from '../order.ts';
import { KEEP_ORDER, type KeysetParams, keysetParams, type Paged, type Sort, splitPage } from '../page.ts';
import { ACCOUNT, type AccountRef, aboutRef, readAbout, SLOT, streamAbout } from '../refs/account-ref.ts';
import {
  edgeKeyOf,
  ensOfShown,
  type FollowingRow,
  followingOf,
  IS_FOLLOW,
  parseTags,
  TAG_IDS,
  tagsOf,
} from './edge-entries.ts';
import type { EdgesPage } from './followers.ts';

/** Follower count of the account of a record as of the last ranking. */
const POPULARITY = sql`coalesce((select followers from leaderboard where leaderboard.account = records.account), 0)`;

/** Records of the slot, but not of the account itself. */
export const OTHER_RECORDS = sql<boolean>`records.slot = ${SLOT} and records.account <> ${ACCOUNT}`;

/** The accounts that records name. */
export const NAMED_ACCOUNT = sql`join accounts as shown on shown.id = records.account`;

/** The columns of `FollowingRow`, from records and `NAMED_ACCOUNT`. */
export function followingColumns(dialect: Dialect, withEns: boolean, term: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`shown.address, records.time, ${ensOfShown(withEns)} as ens, ${term} as term,
    ${tagsOf(dialect, sql`records.slot`, sql`records.account`)} as tags`;
}

const pageOf = statements((sort: Sort, isAll: boolean, withEns: boolean, hasTags: boolean, start: Start) =>
  aboutRef<KeysetParams & { tags: string }, FollowingRow>(({ dialect }) => {
    const conditions = [OTHER_RECORDS, ...(isAll ? [] : [IS_FOLLOW]), ...(hasTags ? [hasTag(dialect)] : [])];
    const order = orderOf(sort, POPULARITY);
    const listing = {
      columns: followingColumns(dialect, withEns, order[0][0]),
      rows: sql`records`,
      joined: NAMED_ACCOUNT,
      where: sql.join(conditions, sql` and `),
      order,
      // Few records have tags, and no index has follower counts.
      isIndexed: !hasTags && sort !== 'followers',
    };
    return selectPage(listing, start);
  }),
);

function hasTag(dialect: Dialect): RawBuilder<boolean> {
  return sql`tagged = 1 and exists (select 1 from record_tags
    where record_tags.slot = records.slot and record_tags.account = records.account and tag in ${TAG_IDS(dialect)})`;
}

/** The accounts that a list follows, and with `edges: 'all'` those that it blocks or mutes too. */
export async function readFollowing(reader: Reader, ref: AccountRef, page: EdgesPage): Promise<Paged<FollowingBody>> {
  const { sort, edges, withEns, tags, cursor } = page;
  const query = pageOf(sort, edges === 'all', withEns, tags.length > 0, startOf(page));
  const params = { ...keysetParams(page, sort, cursor), tags: JSON.stringify(tags) };
  const { rows } = await readAbout(reader, query, ref, params);
  const { shown, next } = splitPage(rows, page.limit, edgeKeyOf);
  return { body: { following: shown.map((row) => followingOf(row, withEns)) }, next };
}

const allAddresses = aboutRef<object, { address: Address }>(
  () => sql`select shown.address from records ${NAMED_ACCOUNT}
      where ${OTHER_RECORDS} ${orderBy(LATEST)} ${KEEP_ORDER}`,
);

/** The addresses of all records of a list's slot, latest first. */
export async function* streamAddresses(reader: StreamReader, ref: AccountRef): AsyncGenerator<AddressesBody> {
  for await (const { rows } of streamAbout(reader, allAddresses, ref, {})) {
    yield rows.map(({ address }) => address);
  }
}

const allRecords = aboutRef<object, FollowingRow>(
  ({ dialect }) =>
    sql`select ${followingColumns(dialect, false, sql`null`)} from records ${NAMED_ACCOUNT}
        where records.slot = ${SLOT} ${orderBy(EARLIEST)} ${KEEP_ORDER}`,
);

/** All records of a list's slot, with one of the account itself, in the order in which the list can be replayed. */
export async function* streamExportState(reader: StreamReader, ref: AccountRef): AsyncGenerator<FollowingBody> {
  for await (const { rows } of streamAbout(reader, allRecords, ref, {})) {
    yield { following: rows.map((row) => followingOf(row, false)) };
  }
}

const recordsByAddress = statements((withTags: boolean) =>
  aboutRef<object, Pick<FollowingRow, 'address' | 'tags'>>(({ dialect }) => {
    const tags = withTags ? tagsOf(dialect, sql`records.slot`, sql`records.account`) : sql`null`;
    return sql`select shown.address, ${tags} as tags from records ${NAMED_ACCOUNT}
      where records.slot = ${SLOT} order by shown.address ${KEEP_ORDER}`;
  }),
);

/** The same records by address. */
export async function* streamRecords(
  reader: StreamReader,
  ref: AccountRef,
  { withTags }: { readonly withTags: boolean },
): AsyncGenerator<RecordsBody> {
  for await (const { rows } of streamAbout(reader, recordsByAddress(withTags), ref, {})) {
    yield {
      records: rows.map(({ address, tags }) => ({
        version: 1,
        record_type: 'address',
        data: address,
        ...(withTags ? { tags: parseTags(tags) } : {}),
      })),
    };
  }
}
