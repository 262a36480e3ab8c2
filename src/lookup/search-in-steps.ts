import { sql } from 'kysely';
import { isPartOfAddress, NAME_GRAM, type Suspects, searchOf, type TierName, tierOf } from '../graph/search-grams.ts';
import { param, rowCount } from '../store/prepare.ts';
import type { SearchIndex } from '../store/search-index.ts';
import type { SyncReader } from '../store/store.ts';
import { addressIn, BEST, type Board, createBoard, type Found, type Member, nameIn } from './board.ts';
import type { LeaderboardPage } from './leaderboard.ts';

/** Suspects in the order of the board, and whether there are no more. */
interface Looked {
  readonly there: ReturnType<Board['at']> | readonly Member[];
  readonly isAll: boolean;
}

export interface Stepped {
  readonly madeAt: number;
  readonly found: readonly Found[];
}

/** Deeper pages are not found in steps. */
const DEEPEST = 200;
/** A term that is longer than a gram has some suspects that do not match: as many more are looked for. */
const SPARE = 10;

/**
 * Finds first pages where questions cost no round trip: places from the index, members from memory as far as they are
 * there, and which of them match without a statement. Null where that does not fill the page, though there may be more.
 */
export function createSearchInSteps(direct: SyncReader, index: SearchIndex): (page: LeaderboardPage) => Stepped | null {
  const boardAt = createBoard(direct);
  const placesOf = direct.prepareColumn<{ grams: string; count: number }, number>((db) =>
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
    const look = (suspects: Suspects): Looked => {
      if (suspects === 'everybody') return { there: board.best(), isAll: board.best().length < BEST };
      const places = placesOf({ grams: index.bind(suspects), count });
      return { there: board.at(places), isAll: places.length < count };
    };
    const mayBeAddress = isPartOfAddress(term);
    const add = (one: Found, tier: TierName) => {
      const [entry, name] = typeof one === 'string' ? [one, nameIn(one)] : [one.entry, one.name];
      if (tierOf(term, mayBeAddress ? addressIn(entry) : '', name) === tier) found.push(one);
    };
    const take = ({ there }: Looked, tier: TierName) => {
      for (const one of there) {
        if (found.length >= needed) return;
        if (typeof one === 'string' || 'entry' in one) add(one, tier);
        else for (const shared of one) add(shared, tier);
      }
    };

    const start = look(search.start);
    // If not all who begin with the term were looked at, the one who is the term may be among the others.
    take(start.isAll ? start : look(search.equal), 'equal');
    take(start, 'start');
    if (found.length >= needed) return found;
    if (!start.isAll) return null;
    const within = look(search.within);
    take(within, 'within');
    return found.length >= needed || within.isAll ? found : null;
  }

  return ({ term, limit, offset }) => {
    const needed = limit + offset;
    if (needed > DEEPEST) return null;
    return direct.inSnapshot((moment) => {
      const board = boardAt(moment);
      const found = term === '' ? board.best() : find(board, term, needed);
      return found && { madeAt: board.madeAt, found: found.slice(offset, needed) };
    });
  };
}
