import { sql } from 'kysely';
import { param, rowCount } from '../store/prepare.ts';
import type { DirectReader } from '../store/store.ts';

/** A member of the leaderboard. */
export interface Member {
  readonly address: string;
  /** In lower case. */
  readonly name: string;
  /** See `keptEntry`. */
  readonly kept: string;
  /** The entry with the ranks of its making, once it has been answered. */
  entry: string | null;
}

/** The leaderboard as it is at one moment. */
export interface Board {
  readonly madeAt: number;
  /** The members at `places`, in that order. */
  at(places: readonly number[]): Member[];
  /** The best members: `BEST` of them, if there are as many. */
  best(): readonly Member[];
}

/** Enough to find a page of those whose addresses hold two given digits, which are every seventh. */
export const BEST = 1_000;

/**
 * The best members are kept in memory once they were found, some 300 bytes each: of all that searches find among 100,000
 * accounts they are 78 %. Keeping whoever was found last takes more time than it saves.
 */
const KEPT = 10_000;

/** Keeps members in memory for as long as nothing on the leaderboard changes. Called `during` a read. */
export function createBoard(direct: DirectReader): (moment: unknown) => Board {
  const versions = direct.prepareColumn<object, number>((db) =>
    db.selectFrom('state').select('value').where('key', 'in', ['board_version', 'ranks_made_at']).orderBy('key'),
  );
  const placeAfter = direct.prepareColumn<{ count: number }, number>((db) =>
    db.selectFrom('leaderboard').select('place').orderBy('place').limit(1).offset(rowCount('count')),
  );
  // One text for all, for each value takes time to be handed over; the name last, for it may hold anything.
  const text = sql<string>`entry || char(10) || name`.as('text');
  const atPlace = direct.prepareColumn<{ place: number }, string>((db) =>
    db.selectFrom('leaderboard').select(text).where('place', '=', param<number>('place')).orderBy('address'),
  );
  const first = direct.prepareColumn<{ count: number }, string>((db) =>
    db.selectFrom('leaderboard').select(text).orderBy('place').orderBy('address').limit(rowCount('count')),
  );

  function createNow(madeAt: number): Board {
    const kept = new Map<number, Member | readonly Member[]>();
    const [end = Number.POSITIVE_INFINITY] = placeAfter({ count: KEPT });
    let best: Member[] | null = null;
    const take = (place: number): Member | readonly Member[] => {
      const there = atPlace({ place }).map(memberOf);
      const taken = there.length === 1 && there[0] !== undefined ? there[0] : there;
      if (place < end) kept.set(place, taken);
      return taken;
    };
    return {
      madeAt,
      at(places) {
        const members: Member[] = [];
        for (const place of places) {
          const there = kept.get(place) ?? take(place);
          if ('kept' in there) members.push(there);
          else members.push(...there);
        }
        return members;
      },
      best: () => (best ??= first({ count: BEST }).map(memberOf)),
    };
  }

  let seen: unknown;
  let version: string | undefined;
  let board: Board | undefined;
  return (moment) => {
    if (moment === seen && board !== undefined) return board;
    const [number, madeAt = 0] = versions({});
    const now = `${number} ${madeAt}`;
    if (now !== version || board === undefined) board = createNow(madeAt);
    [seen, version] = [moment, now];
    return board;
  };
}

function memberOf(text: string): Member {
  const counts = text.indexOf('\n') + 1;
  const name = text.indexOf('\n', counts) + 1;
  return {
    address: text.slice(ADDRESS_AT, ADDRESS_AT + 42),
    name: text.slice(name),
    kept: text.slice(0, name - 1),
    entry: null,
  };
}

/** Where a kept entry has its address. */
const ADDRESS_AT = '{"address":"'.length;
