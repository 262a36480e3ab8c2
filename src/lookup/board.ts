import { sql } from 'kysely';
import { type BinaryString, toBinary } from '../contract/binary-string.ts';
import { nameIn } from '../contract/entry-layout.ts';
import { flatten } from '../contract/flatten.ts';
import { param, rowCount } from '../store/prepare.ts';
import type { SyncReader } from '../store/store.ts';

/** A cached member of the leaderboard. */
export interface Member {
  /** In lower case. */
  readonly name: string;
  /** As stored, and complete once it has been part of a response. */
  entry: BinaryString;
  isComplete: boolean;
}

/**
 * A cached member, or the stored entry of one that is not cached. Not an object: wrappers of uncached members were
 * promoted to the old generation, and collecting them cost 5 µs of a search.
 */
export type Found = Member | string;

/** The leaderboard in one state of the database. */
export interface Board {
  readonly rankedAt: number;
  /** The members with each of the sort keys, which are ascending; an array where several accounts share one. */
  at(keys: readonly number[]): (Found | readonly string[])[];
  /** The first `TOP_MEMBERS` members, or all if there are fewer. */
  top(): readonly Member[];
}

/** Enough to fill a page of addresses that contain two given digits: every seventh does. */
export const TOP_MEMBERS = 1_000;

/**
 * The top members are cached when a search finds them, 500 bytes each: with 100,000 accounts they are 93 % of the
 * results. An LRU cache takes more time than it saves.
 */
const MAX_CACHED = 60_000;

/** Caches members until the leaderboard changes. The returned function is called inside `SyncReader.inSnapshot`. */
export function createBoard(sync: SyncReader): (snapshotId: unknown) => Board {
  const versions = sync.prepareColumn<object, number>((db) =>
    db.selectFrom('state').select('value').where('key', 'in', ['board_version', 'ranks_made_at']).orderBy('key'),
  );
  const keyAfter = sync.prepareColumn<{ count: number }, number>((db) =>
    db.selectFrom('leaderboard').select('place').orderBy('place').limit(1).offset(rowCount('count')),
  );
  const atKey = sync.prepareColumn<{ key: number }, string>((db) =>
    db.selectFrom('leaderboard').select('entry').where('place', '=', param<number>('key')).orderBy('address'),
  );
  // A cross join reads in the order of the array, which is that of the board; a join would let the planner reorder.
  const atKeys = sync.prepareColumn<{ keys: string }, string>((db) =>
    db
      .selectFrom(sql<{ value: number }>`json_each(${param('keys')})`.as('listed'))
      .crossJoin('leaderboard')
      .select('entry')
      .whereRef('place', '=', 'listed.value'),
  );
  const first = sync.prepareColumn<{ count: number }, string>((db) =>
    db.selectFrom('leaderboard').select('entry').orderBy('place').orderBy('address').limit(rowCount('count')),
  );

  function readKeys(keys: readonly number[]): (string | readonly string[])[] {
    const entries = atKeys({ keys: JSON.stringify(keys) });
    if (entries.length === keys.length) return entries;
    return keys.map((key) => {
      const sharing = atKey({ key });
      return sharing.length === 1 ? (sharing[0] ?? sharing) : sharing;
    });
  }

  function createCurrent(rankedAt: number): Board {
    const cached = new Map<number, Member>();
    // The first sort key that is not cached.
    const [end = Number.POSITIVE_INFINITY] = keyAfter({ count: MAX_CACHED });
    let top: Member[] | null = null;
    return {
      rankedAt,
      at(keys) {
        const known = keys.map((key) => cached.get(key));
        const missing = keys.filter((_, i) => known[i] === undefined);
        // Safe: none of them is undefined.
        if (missing.length === 0) return known as Member[];
        const read = readKeys(missing);
        let next = 0;
        return keys.map((key, i) => {
          const hit = known[i];
          if (hit !== undefined) return hit;
          const found = read[next++] ?? [];
          if (key >= end || typeof found !== 'string') return found;
          const member = memberOf(found);
          cached.set(key, member);
          return member;
        });
      },
      top: () => (top ??= first({ count: TOP_MEMBERS }).map(memberOf)),
    };
  }

  let seen: unknown;
  let version: string | undefined;
  let board: Board | undefined;
  return (snapshotId) => {
    if (snapshotId === seen && board !== undefined) return board;
    const [boardVersion, rankedAt = 0] = versions({});
    const current = `${boardVersion} ${rankedAt}`;
    if (current !== version || board === undefined) board = createCurrent(rankedAt);
    [seen, version] = [snapshotId, current];
    return board;
  };
}

function memberOf(stored: string): Member {
  return { name: flatten(nameIn(stored)), entry: toBinary(stored), isComplete: false };
}
