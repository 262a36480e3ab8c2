import { sql } from 'kysely';
import { addressIn, nameIn } from '../contract/entry-layout.ts';
import { type Candidates, isPartOfAddress, NAME_GRAM, searchOf, type TierName, tierOf } from '../graph/search-grams.ts';
import { param, rowCount } from '../store/prepare.ts';
import type { SearchIndex } from '../store/search-index.ts';
import type { SyncReader } from '../store/store.ts';
import { type Board, createBoard, type Found, type Member, TOP_MEMBERS } from './board.ts';
import type { LeaderboardPage } from './leaderboard.ts';

/** Candidates in leaderboard order, and whether these are all there are. */
interface Fetched {
  readonly members: ReturnType<Board['at']> | readonly Member[];
  readonly isAll: boolean;
}

export interface IndexedPage {
  readonly rankedAt: number;
  readonly found: readonly Found[];
}

/** Pages beyond this many results are searched by SQL. */
const MAX_RESULTS = 200;
/** Extra candidates for a term longer than a gram, since some of its candidates do not match. */
const SPARE = 10;

/**
 * Searches with several small queries, on an engine without a network: sort keys from the gram index, members from the
 * cache, and matching in memory. Returns null if that does not fill the page although there may be more.
 */
export function createSearchByIndex(
  sync: SyncReader,
  index: SearchIndex,
): (page: LeaderboardPage) => IndexedPage | null {
  const boardAt = createBoard(sync);
  const keysOf = sync.prepareColumn<{ grams: string; count: number }, number>((db) =>
    db
      .selectFrom(sql<{ rowid: number }>`leaderboard_grams`.as('leaderboard_grams'))
      .select('rowid')
      .where(sql<boolean>`leaderboard_grams match ${param('grams')}`)
      .orderBy('rowid')
      .limit(rowCount('count')),
  );

  function find(board: Board, term: string, needed: number): Found[] | null {
    const search = searchOf(term);
    const count = term.length > NAME_GRAM ? needed + SPARE : needed;
    const found: Found[] = [];
    const fetch = (candidates: Candidates): Fetched => {
      if (candidates === 'all') return { members: board.top(), isAll: board.top().length < TOP_MEMBERS };
      const keys = keysOf({ grams: index.bind(candidates), count });
      return { members: board.at(keys), isAll: keys.length < count };
    };
    const mayBeAddress = isPartOfAddress(term);
    const add = (one: Found, tier: TierName) => {
      const [entry, name] = typeof one === 'string' ? [one, nameIn(one)] : [one.entry, one.name];
      if (tierOf(term, mayBeAddress ? addressIn(entry) : '', name) === tier) found.push(one);
    };
    const take = ({ members }: Fetched, tier: TierName) => {
      for (const one of members) {
        if (found.length >= needed) return;
        if (typeof one === 'string' || 'entry' in one) add(one, tier);
        else for (const sharing of one) add(sharing, tier);
      }
    };

    const start = fetch(search.start);
    // Unless all candidates that start with the term were fetched, the equal one may not be among them.
    take(start.isAll ? start : fetch(search.equal), 'equal');
    take(start, 'start');
    if (found.length >= needed) return found;
    if (!start.isAll) return null;
    const within = fetch(search.within);
    take(within, 'within');
    return found.length >= needed || within.isAll ? found : null;
  }

  return ({ term, limit, offset }) => {
    const needed = limit + offset;
    if (needed > MAX_RESULTS) return null;
    return sync.inSnapshot((snapshotId) => {
      const board = boardAt(snapshotId);
      const found = term === '' ? board.top() : find(board, term, needed);
      return found && { rankedAt: board.rankedAt, found: found.slice(offset, needed) };
    });
  };
}
