import { sql } from 'kysely';
import type {
  AccountBody,
  EnsBody,
  ListAccountBody,
  ListsBody,
  PrimaryListBody,
} from '../../contract/lookup-schemas.ts';
import type { Stats } from '../../contract/schemas.ts';
import type { Reader, StreamReader } from '../../store/store.ts';
import { parseEns } from '../edges/edge-entries.ts';
import { KEEP_ORDER } from '../page.ts';
import {
  ACCOUNT,
  type AccountRef,
  ADDRESS,
  aboutRef,
  type ListRef,
  readAbout,
  readReferent,
  streamAbout,
} from '../refs/account-ref.ts';
import { NO_STATS, selectStats } from './stats.ts';

const profileOf = aboutRef<object, { ens: string }>(() => sql`select ens from profiles where address = ${ADDRESS}`);

async function readProfile(reader: Reader, ref: AccountRef) {
  const { referent, rows } = await readAbout(reader, profileOf, ref, {});
  const address = referent.ref_address;
  return { address, ens: parseEns(rows[0]?.ens ?? null, address), primaryList: referent.ref_primary_list ?? '' };
}

export async function readAccount(reader: Reader, ref: AccountRef): Promise<AccountBody> {
  const { address, ens } = await readProfile(reader, ref);
  return { address, ens };
}

/** The account of a list, and whether the list is its primary list. */
export async function readListAccount(reader: Reader, ref: ListRef): Promise<ListAccountBody> {
  const { address, ens, primaryList } = await readProfile(reader, ref);
  return { address, ens, is_primary_list: ref.list === primaryList, primary_list: primaryList };
}

export async function readEns(reader: Reader, ref: AccountRef): Promise<EnsBody> {
  const { address, ens } = await readProfile(reader, ref);
  return { ens: { address, ...ens } };
}

export async function readPrimaryList(reader: Reader, ref: AccountRef): Promise<PrimaryListBody> {
  return { primary_list: (await readReferent(reader, ref)).ref_primary_list ?? '' };
}

const statsOf = aboutRef<object, Stats>(({ kind }) => selectStats(kind));

/** Current counts. */
export async function readStats(reader: Reader, ref: AccountRef): Promise<Stats> {
  const [stats] = (await readAbout(reader, statsOf, ref, {})).rows;
  return stats ?? NO_STATS;
}

const listsOf = aboutRef<object, { token_id: string }>(() => {
  const inRole = (role: 'user' | 'manager') => sql`select token_id from slots join lists on lists.slot = slots.id
      where ${sql.ref(`slots.${role}`)} = ${ACCOUNT} and lists.owner is not null`;
  // Token ids are decimal numbers of up to 256 bits, without leading zeros: the longer one is greater.
  return sql`select token_id from (
        select token_id from lists where owner = ${ACCOUNT} union ${inRole('user')} union ${inRole('manager')}
      ) as found order by length(token_id), token_id ${KEEP_ORDER}`;
});

/** The lists that an account owns, and those whose slot names it as user or manager. */
export async function* streamLists(reader: StreamReader, ref: AccountRef): AsyncGenerator<ListsBody> {
  for await (const { referent, rows } of streamAbout(reader, listsOf, ref, {})) {
    yield { primary_list: referent.ref_primary_list ?? '', lists: rows.map(({ token_id }) => token_id) };
  }
}
