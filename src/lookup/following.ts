import { type RawBuilder, sql } from 'kysely';
import { type BinaryString, toBinary } from '../contract/binary-string.ts';
import { RELATION_CODES } from '../graph/relation.ts';
import type { Dialect } from '../store/dialect.ts';
import { param, rowCount } from '../store/prepare.ts';
import type { Reader } from '../store/store.ts';
import type { AccountRef } from './account-ref.ts';
import type { EdgesPage, Sort } from './edges-page.ts';
import { selectEntries } from './entries.ts';
import { getOrCreate } from './get-or-create.ts';
import { prepareForRef, type Subject } from './prepare-for-ref.ts';

/** The entry of a record, from columns that need no escaping. */
export const FOLLOWING_ENTRY = sql<string>`'{"version":1,"record_type":"address","data":"' || records.address
  || '","address":"' || records.address || '","tags":' || tags || '}'`;

/** Follower count of the followed account as of the last ranking. */
const POPULARITY = sql`coalesce((select followers from leaderboard where leaderboard.address = records.address), 0)`;

const ORDERS: Readonly<Record<Sort, RawBuilder<unknown>>> = {
  latest: sql`time desc, address`,
  earliest: sql`time, address desc`,
  followers: sql`${POPULARITY} desc, address`,
};

/** The accounts that a list follows, and with `edges: 'all'` those that it blocks or mutes too. */
export function createFollowingLookup(reader: Reader): (ref: AccountRef, page: EdgesPage) => Promise<BinaryString> {
  const { dialect } = reader;
  const prepare = ({ sort, tags, edges, withEns }: EdgesPage) =>
    prepareForRef<object, { entries: string | null }>(reader, (_db, subject) => {
      const conditions = [
        isOther(subject),
        ...(edges === 'all' ? [] : [IS_FOLLOW]),
        ...(tags.length > 0 ? [hasTag(dialect)] : []),
      ];
      const page = sql<{ entry: string; address: string }>`(
        select ${FOLLOWING_ENTRY} as entry, address from records where ${sql.join(conditions, sql` and `)}
        order by ${ORDERS[sort]} limit ${rowCount('limit')} offset ${rowCount('offset')})`;
      return { entries: selectEntries(page, withEns) };
    });
  const prepared = new Map<string, ReturnType<typeof prepare>>();
  return async (ref, page) => {
    const key = `${page.sort} ${page.edges} ${page.withEns} ${page.tags.length > 0}`;
    const read = getOrCreate(prepared, key, () => prepare(page));
    const { limit, offset, tags } = page;
    const { entries } = await read(ref, { limit, offset, tags: JSON.stringify(tags) });
    return toBinary(`{"following":[${entries ?? ''}]}`);
  };
}

export const IS_FOLLOW = sql<boolean>`records.relation = ${sql.lit(RELATION_CODES.follow)}`;

/** A record of the slot, but not of the account itself. */
export function isOther({ account, slot }: Pick<Subject, 'account' | 'slot'>): RawBuilder<boolean> {
  return sql`records.slot = ${slot} and records.address <> ${account}`;
}

/** Most records have no tags; those are not parsed. */
function hasTag(dialect: Dialect): RawBuilder<boolean> {
  return sql`tags <> '[]' and exists (select 1 from ${dialect.textsOf(sql.ref('records.tags'))} as own
    where own.text in ${dialect.textsOf(param('tags'))})`;
}

/** All records of a list's slot. */
export interface WholeListLookups {
  /** Addresses, latest first. */
  readonly addresses: (ref: AccountRef) => Promise<BinaryString>;
  /** Complete, with a record of the account itself, in the order in which the list can be replayed. */
  readonly exportState: (ref: AccountRef) => Promise<BinaryString>;
}

export function createWholeListLookups(reader: Reader): WholeListLookups {
  const prepare = (entry: RawBuilder<string>, where: (subject: Subject) => RawBuilder<boolean>, sort: Sort) =>
    prepareForRef<object, { entries: string | null }>(reader, (_db, subject) => ({
      entries: selectEntries(
        sql`(select ${entry} as entry, address from records where ${where(subject)} order by ${ORDERS[sort]})`,
        false,
      ),
    }));
  const addresses = prepare(sql`'"' || address || '"'`, isOther, 'latest');
  const everything = prepare(FOLLOWING_ENTRY, ({ slot }) => sql`slot = ${slot}`, 'earliest');
  return {
    addresses: async (ref) => toBinary(`[${(await addresses(ref, {})).entries ?? ''}]`),
    exportState: async (ref) => toBinary(`{"following":[${(await everything(ref, {})).entries ?? ''}]}`),
  };
}
