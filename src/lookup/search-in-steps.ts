import { sql } from 'kysely';
import { type Suspects, searchOf, type TierName, tierOf } from '../graph/search-grams.ts';
import { param, rowCount } from '../store/prepare.ts';
import type { SearchIndex } from '../store/search-index.ts';
import type { DirectReader } from '../store/store.ts';
import { BEST, type Board, createBoard, type Member } from './board.ts';
import type { LeaderboardPage } from './leaderboard.ts';

export interface Stepped {
  readonly madeAt: number;
  readonly members: readonly Member[];
}

/** Deeper pages are not found in steps. */
const DEEPEST = 200;
/** Asked for beyond what is needed, for some suspects may not match. */
const SPARE = 10;
/** A term of as many characters is in so few names and addresses that they all may fit on one page. */
const LONG = 5;

/**
 * Finds first pages where questions cost no round trip: places from the index, members from memory as far as they are
 * there, and which of them match without a statement. Null where that does not fill the page, though there may be more.
 */
export function createSearchInSteps(
  direct: DirectReader,
  index: SearchIndex,
): (page: LeaderboardPage) => Stepped | null {
  const boardAt = createBoard(direct);
  const placesOf = direct.prepareColumn<{ grams: string; count: number }, number>((db) =>
    db
      .selectFrom(sql<{ rowid: number }>`leaderboard_grams`.as('leaderboard_grams'))
      .select('rowid')
      .where(sql<boolean>`leaderboard_grams match ${param('grams')}`)
      .orderBy('rowid')
      .limit(rowCount('count')),
  );

  /** Some of the suspects, from the first on. */
  function look(board: Board, suspects: Suspects, count: number): { members: readonly Member[]; isAll: boolean } {
    if (suspects === 'everybody') {
      const members = board.best();
      return { members, isAll: members.length < BEST };
    }
    const places = placesOf({ grams: index.bind(suspects), count });
    return { members: board.at(places), isAll: places.length < count };
  }

  function find(board: Board, term: string, needed: number): Member[] | null {
    const search = searchOf(term);
    const count = needed + SPARE;
    const found: Member[] = [];
    const take = (members: readonly Member[], tier: TierName) => {
      for (const member of members) {
        if (found.length >= needed) return;
        if (tierOf(term, member.address, member.name) === tier) found.push(member);
      }
    };

    const any = term.length >= LONG ? look(board, search.any, count) : null;
    const start = any?.isAll ? any : look(board, search.start, count);
    // If not all who begin with the term were looked at, the one who is the term may be among the others.
    take((start.isAll ? start : look(board, search.equal, count)).members, 'equal');
    take(start.members, 'start');
    if (found.length >= needed) return found;
    if (!start.isAll) return null;
    const within = any ?? look(board, search.within, count);
    take(within.members, 'within');
    return found.length >= needed || within.isAll ? found : null;
  }

  return ({ term, limit, offset }) => {
    const needed = limit + offset;
    if (needed > DEEPEST) return null;
    return direct.during((moment) => {
      const board = boardAt(moment);
      const found = term === '' ? board.best() : find(board, term, needed);
      return found && { madeAt: board.madeAt, members: found.slice(offset, needed) };
    });
  };
}
