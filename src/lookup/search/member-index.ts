import { sql } from 'kysely';
import { createSingleFlight } from '../../async/single-flight.ts';
import { createTimeSlices } from '../../async/time-slices.ts';
import type { Address } from '../../protocol/hex.ts';
import { param, rowCount } from '../../store/params.ts';
import { columns, optional, select, statement } from '../../store/statement.ts';
import type { Store } from '../../store/store.ts';
import { type Entry, Leaf } from './leaf.ts';
import { LEAF_SIZE, MemberList } from './member-list.ts';

/** What the members that are searched were read from: equal to that of a snapshot if its members are the same. */
export const SEARCHED = {
  searched: sql<number | null>`(select version from search_changes order by sequence desc limit 1)`,
};

/** The members of the leaderboard as of a change. */
interface State {
  readonly list: MemberList;
  /** The last change that they include; null if none is stored. */
  sequence: number | null;
  version: number | null;
}

export type MemberIndex = ReturnType<typeof createMemberIndex>;

/** The members may change while a search reads them and its page. */
const MAX_ATTEMPTS = 5;

const { account, followers } = columns('leaderboard');
const { search_name } = optional('profiles');

const lastChange = statement<object, { sequence: number; version: number }>((db) =>
  db.selectFrom('search_changes').select(['sequence', 'version']).orderBy('sequence', 'desc').limit(1),
);

/** An index has all of a member but its name, which is looked up for each. */
const MEMBERS = statement((_db, dialect) => {
  const address = sql<Address>`(${sql.raw(dialect.addressOf('leaderboard.address_key'))})`;
  return select(
    { account, followers, address, search_name },
    sql`from leaderboard ${dialect.leftJoinOne('profiles', sql`profiles.address = ${address}`)}
      order by leaderboard.followers desc, leaderboard.address_key`,
  ).query;
});

/** How many changes are read at once, besides the last known one. */
const MAX_CHANGES = 2_000;
const { sequence, account: changed, version } = columns('search_changes');
const found = { followers: optional('leaderboard').followers, address: optional('accounts').address, search_name };

/** The last known change, and those after it: each with its account as it is now. */
const CHANGES = statement<{ sequence: number; rows: number }>()(
  (_db, dialect) =>
    select(
      { sequence, version, account: changed, ...found },
      sql`from search_changes
        ${dialect.leftJoinOne('accounts', sql`accounts.id = search_changes.account`)}
        ${dialect.leftJoinOne('leaderboard', sql`leaderboard.account = search_changes.account`)}
        ${dialect.leftJoinOne('profiles', sql`profiles.address = accounts.address`)}
        where search_changes.sequence >= ${param('sequence')}
        order by search_changes.sequence limit ${rowCount('rows')}`,
    ).query,
);

interface Member {
  readonly account: number;
  readonly followers: number;
  readonly address: Address;
  readonly search_name: string | null;
}

function entryOf({ account, followers, address, search_name }: Member): Entry {
  return {
    account,
    followers,
    address: Buffer.from(address.slice(2), 'hex'),
    name: Buffer.from(search_name ?? ''),
  };
}

/**
 * The members of the leaderboard in memory, where they are searched. They are read when they are first needed, and
 * brought up to date by the changes that writers list.
 */
export function createMemberIndex({ streams, heavy: { reader } }: Pick<Store, 'streams' | 'heavy'>) {
  let state: State | undefined;
  const flights = createSingleFlight<State>();

  async function load(): Promise<State> {
    // Read before the members, which may then include later changes: these are applied again.
    const [last] = await reader.all(lastChange, {});
    const leaves: Leaf[] = [];
    let entries: Entry[] = [];
    for await (const rows of streams.stream(MEMBERS, {})) {
      entries.push(...rows.map(entryOf));
      for (; entries.length >= LEAF_SIZE; entries = entries.slice(LEAF_SIZE))
        leaves.push(new Leaf(entries.slice(0, LEAF_SIZE)));
    }
    if (entries.length > 0) leaves.push(new Leaf(entries));
    return { list: new MemberList(leaves), sequence: last?.sequence ?? null, version: last?.version ?? null };
  }

  /** Applies the changes since; false if they are no longer stored, or if the database is another one. */
  async function follow(known: State): Promise<boolean> {
    for (let isComplete = false; !isComplete; ) {
      if (known.sequence === null) return false;
      const [own, ...changes] = await reader.all(CHANGES, { sequence: known.sequence, rows: MAX_CHANGES + 1 });
      if (own?.sequence !== known.sequence || own.version !== known.version) return false;
      const entries = changes.map(({ account, followers, address, search_name }): [number, Entry | null] => {
        const isMember = followers !== null && address !== null;
        return [account, isMember ? entryOf({ account, followers, address, search_name }) : null];
      });
      await known.list.apply(new Map(entries), createTimeSlices());
      const last = changes.at(-1) ?? own;
      known.sequence = last.sequence;
      known.version = last.version;
      isComplete = changes.length < MAX_CHANGES;
    }
    return true;
  }

  const refresh = () =>
    flights.run('', async () => {
      if (state === undefined || !(await follow(state))) state = await load();
      return state;
    });

  return {
    /** Reads the members before the first search does. */
    async load(): Promise<void> {
      await refresh();
    },
    /**
     * Returns what `read` has read with the members of its snapshot, whose `SEARCHED` it reads too. If they change at every
     * attempt, these are the members of a moment before.
     */
    async with<T extends { readonly searched: number | null }>(read: (list: MemberList) => Promise<T>): Promise<T> {
      let { list, version } = state ?? (await refresh());
      for (let attempt = 1; ; attempt += 1) {
        const result = await read(list);
        // Another search may have brought the members up to date while this one read them.
        const isSnapshot = result.searched === version && state?.version === version;
        if (isSnapshot || attempt === MAX_ATTEMPTS) return result;
        ({ list, version } = await refresh());
      }
    },
  };
}
