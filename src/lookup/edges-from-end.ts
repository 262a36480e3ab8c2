import { sql } from 'kysely';
import { RELATION_CODES } from '../graph/relation.ts';
import type { Dialect } from '../store/dialect.ts';
import { param, rowCount } from '../store/prepare.ts';
import type { Reader } from '../store/store.ts';
import { type AccountRef, type BuildValue, type RefKind, selectAccount, selectForRef } from './account-ref.ts';
import { createConsistentRead } from './consistent-read.ts';
import { type EdgeSet, inOrder, isIn, type PageShape } from './edges-page.ts';

/** From this offset on, counting the rows pays: skipping a row takes some 0.2 µs. */
export const DEEP_OFFSET = 1_000;

const OPPOSITE = { asc: 'desc', desc: 'asc' } as const;

/** Returns the entries of a page that is nearer to the end than to the start; null for any other page. */
type ReadFromEnd = (ref: AccountRef, page: { limit: number; offset: number }) => Promise<string[] | null>;

/** Reads pages at deep offsets in the opposite order. For SQLite, which has an index of the hidden followers. */
export function createReadFromEnd(
  reader: Reader,
  kind: RefKind,
  { order: { key, direction, ties }, edges }: PageShape,
): ReadFromEnd {
  const { dialect } = reader;
  const consistently = createConsistentRead(reader);
  const countRows = reader.prepareColumn<object, number>(selectForRef(dialect, kind, countFollowers(dialect, edges)));
  const readBackwards = reader.prepareColumn<object, string>((db) => {
    const followers = db
      .selectFrom('edges')
      .select('entry')
      .where(
        'target',
        '=',
        kind === 'account' ? param<string>('account') : sql<string>`${selectAccount(dialect, db, kind)}`,
      )
      .where(isIn(edges));
    return inOrder(followers, { key, direction: OPPOSITE[direction], ties: OPPOSITE[ties] })
      .limit(rowCount('limit'))
      .offset(rowCount('offset'));
  });
  return async ({ account, list, name }, { limit, offset }) =>
    consistently(async () => {
      const [count = 0] = await countRows({ account, list, name });
      const rest = count - offset;
      if (count === 0 || rest >= offset) return null;
      if (rest <= 0) return [];
      const size = Math.min(limit, rest);
      return (await readBackwards({ account, list, name, limit: size, offset: rest - size })).reverse();
    });
}

/** The number of followers, less the hidden ones if they are not in the set. Counting those is quick: there are few, with an index. */
function countFollowers(dialect: Dialect, edges: EdgeSet): BuildValue<number> {
  return (db, account) => {
    const all = db.selectFrom('accounts').select('followers').where('address', '=', account);
    const hidden = db
      .selectFrom(dialect.indexedBy('edges', 'edges_hidden'))
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('target', '=', account)
      .where('hidden', '=', sql.lit(1))
      .where('relation', '=', sql.lit(RELATION_CODES.follow));
    return edges === 'visible' ? sql`coalesce(${all}, 0) - ${hidden}` : sql`coalesce(${all}, 0)`;
  };
}
