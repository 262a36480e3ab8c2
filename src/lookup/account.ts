import { sql } from 'kysely';
import { type BinaryString, toBinary } from '../contract/binary-string.ts';
import type { ProfileRefresher } from '../names/on-demand/profile-refresher.ts';
import { emptyProfile } from '../names/profile.ts';
import type { Address } from '../protocol/hex.ts';
import type { Reader } from '../store/store.ts';
import type { AccountRef } from './account-ref.ts';
import { IS_FOLLOW, isOther } from './following.ts';
import { prepareForRef, primaryList } from './prepare-for-ref.ts';

interface Facts {
  readonly account: Address;
  readonly ens: string | null;
  readonly primary_list: string | null;
}

type Lookup = (ref: AccountRef) => Promise<BinaryString>;

/** What is known of one account. */
export interface AccountLookups {
  readonly account: Lookup;
  readonly ens: Lookup;
  readonly primaryList: Lookup;
  readonly stats: Lookup;
  readonly lists: Lookup;
}

export function createAccountLookups(reader: Reader, profiles: ProfileRefresher): AccountLookups {
  const readFacts = prepareForRef<object, Facts>(reader, (_db, { account }) => ({
    account: sql`${account}`,
    ens: sql`(select ens from profiles where address = ${account})`,
    primary_list: primaryList(account),
  }));
  const factsOf = async (ref: AccountRef) => {
    const { account, ens, primary_list } = await readFacts(ref, {});
    profiles.queue(account);
    return { account, ens: ens ?? emptyProfile(account), primaryList: primary_list ?? '' };
  };
  return {
    async account(ref) {
      const { account, ens, primaryList } = await factsOf(ref);
      const isPrimary = ref.kind === 'list' && ref.list === primaryList;
      const ofList = ref.kind === 'list' ? `,"is_primary_list":${isPrimary},"primary_list":"${primaryList}"` : '';
      return toBinary(`{"address":"${account}","ens":${ens}${ofList}}`);
    },
    async ens(ref) {
      const { account, ens } = await factsOf(ref);
      return toBinary(`{"ens":{"address":"${account}",${ens.slice(1)}}`);
    },
    async primaryList(ref) {
      return toBinary(`{"primary_list":"${(await factsOf(ref)).primaryList}"}`);
    },
    stats: createStatsLookup(reader),
    lists: createListsLookup(reader),
  };
}

interface Stats {
  readonly followers: number;
  readonly following: number;
}

/** Current counts. A list that is not its account's primary list has records of its own, which are counted. */
function createStatsLookup(reader: Reader): Lookup {
  const read = prepareForRef<object, Stats>(reader, (_db, subject) => {
    const { account, list } = subject;
    const count = (name: 'followers' | 'following') =>
      sql<number>`coalesce((select ${sql.ref(name)} from accounts where address = ${account}), 0)`;
    const isPrimary = sql`${list} = ${primaryList(account)}`;
    return {
      followers: count('followers'),
      following: sql`case when ${isPrimary} then ${count('following')} else (
        select count(*) from records where ${isOther(subject)} and ${IS_FOLLOW}) end`,
    };
  });
  return async (ref) => {
    const { followers, following } = await read(ref, {});
    return toBinary(`{"followers_count":${followers},"following_count":${following}}`);
  };
}

/** The lists that an account owns, and those whose slot names it as user or manager. */
function createListsLookup(reader: Reader): Lookup {
  const read = prepareForRef<object, { primary_list: string | null; lists: string | null }>(
    reader,
    (_db, { account }) => {
      const inRole = (role: 'user' | 'manager') =>
        sql`select token_id from slots join lists on lists.slot = slots.key
          where ${sql.ref(`slots.${role}`)} = ${account} and lists.owner is not null`;
      const lists = sql`select token_id from lists where owner = ${account}
        union ${inRole('user')} union ${inRole('manager')}`;
      return {
        primary_list: primaryList(account),
        lists: sql`(select ${reader.dialect.jsonRows(['token_id'])} from (${lists}) as found)`,
      };
    },
  );
  return async (ref) => {
    const { primary_list, lists } = await read(ref, {});
    // Safe: the statement selects this column.
    const ids = (JSON.parse(lists ?? '[]') as [string][]).map(([id]) => id);
    return toBinary(JSON.stringify({ primary_list: primary_list ?? '', lists: ids.sort(byNumber) }));
  };
}

/** Token ids are decimal numbers of up to 256 bits, without leading zeros. */
function byNumber(a: string, b: string): number {
  if (a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : 1;
}
