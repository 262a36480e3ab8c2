import { sql } from 'kysely';
import { type BinaryString, toBinary } from '../contract/binary-string.ts';
import { flatten } from '../contract/flatten.ts';
import { param, rowCount } from '../store/prepare.ts';
import type { SyncReader } from '../store/store.ts';
import { PlaceMap } from './place-map.ts';

/** A member that is kept in memory. */
export interface Member {
  /** In lower case. */
  readonly name: string;
  /** See `keptEntry`; once it has been answered, with the ranks of its making. */
  entry: BinaryString;
  isFinished: boolean;
}

/**
 * A member, or the kept entry of one that is not in memory. Objects for these would be taken for such as last, and be
 * put with them: clearing them away was 5 µs of a search.
 */
export type Found = Member | string;

/** The leaderboard as it is at one moment. */
export interface Board {
  readonly madeAt: number;
  /** Whoever stands at each of some places, which are in order: hardly ever more than one. */
  at(places: readonly number[]): (Found | readonly string[])[];
  /** The best members: `BEST` of them, if there are as many. */
  best(): readonly Member[];
}

/** Enough to find a page of those whose addresses hold two given digits, which are every seventh. */
export const BEST = 1_000;

/**
 * The best members are kept in memory once they were found, 500 bytes each: of all that searches find among 100,000
 * accounts they are 93 %. Keeping whoever was found last takes more time than it saves.
 */
const KEPT = 60_000;

/** Keeps members in memory for as long as nothing on the leaderboard changes. Called in a snapshot. */
export function createBoard(direct: SyncReader): (moment: unknown) => Board {
  const versions = direct.prepareColumn<object, number>((db) =>
    db.selectFrom('state').select('value').where('key', 'in', ['board_version', 'ranks_made_at']).orderBy('key'),
  );
  const placeAfter = direct.prepareColumn<{ count: number }, number>((db) =>
    db.selectFrom('leaderboard').select('place').orderBy('place').limit(1).offset(rowCount('count')),
  );
  const atPlace = direct.prepareColumn<{ place: number }, string>((db) =>
    db.selectFrom('leaderboard').select('entry').where('place', '=', param<number>('place')).orderBy('address'),
  );
  // Read in the order of the list, and so in that of the board: a union would be put in order first.
  const atPlaces = direct.prepareColumn<{ places: string }, string>((db) =>
    db
      .selectFrom(sql<{ value: number }>`json_each(${param('places')})`.as('listed'))
      .crossJoin('leaderboard')
      .select('entry')
      .whereRef('place', '=', 'listed.value'),
  );
  const first = direct.prepareColumn<{ count: number }, string>((db) =>
    db.selectFrom('leaderboard').select('entry').orderBy('place').orderBy('address').limit(rowCount('count')),
  );

  function readPlaces(places: readonly number[]): (string | readonly string[])[] {
    const entries = atPlaces({ places: JSON.stringify(places) });
    if (entries.length === places.length) return entries;
    return places.map((place) => {
      const there = atPlace({ place });
      return there.length === 1 ? (there[0] ?? there) : there;
    });
  }

  function createNow(madeAt: number): Board {
    const members = new PlaceMap<Member>(KEPT);
    // As many as are kept stand before it.
    const [end = Number.POSITIVE_INFINITY] = placeAfter({ count: KEPT });
    let best: Member[] | null = null;
    return {
      madeAt,
      at(places) {
        const known = places.map((place) => members.get(place));
        const unknown = places.filter((_, i) => known[i] === undefined);
        // Safe: none of them is undefined.
        if (unknown.length === 0) return known as Member[];
        const read = readPlaces(unknown);
        let next = 0;
        return known.map((one, i) => {
          if (one !== undefined) return one;
          const there = read[next++] ?? [];
          // Safe: there is one for each place.
          const place = places[i] as number;
          if (place >= end || typeof there !== 'string') return there;
          const member = memberOf(there);
          members.set(place, member);
          return member;
        });
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

/** Where a kept entry has its address and its name. */
const ADDRESS_AT = '{"address":"'.length;
const ADDRESS_END = ADDRESS_AT + 42;
const NAME_AT = ADDRESS_END + '","name":"'.length;

function memberOf(kept: string): Member {
  return { name: flatten(nameIn(kept)), entry: toBinary(kept), isFinished: false };
}

/** The address in an entry, finished or not. */
export function addressIn(entry: string): string {
  return entry.slice(ADDRESS_AT, ADDRESS_END);
}

/** In lower case. */
export function nameIn(kept: string): string {
  const isPlain = !kept.includes('\\');
  return (isPlain ? kept.slice(NAME_AT, kept.indexOf('"', NAME_AT)) : escapedNameIn(kept)).toLowerCase();
}

function escapedNameIn(kept: string): string {
  return (JSON.parse(`${kept.slice(0, kept.indexOf('\n'))}}`) as { name: string }).name;
}
