import { sql } from 'kysely';
import type { Dialect } from '../store/dialect.ts';
import { param, rowCount } from '../store/prepare.ts';
import type { SyncReader } from '../store/store.ts';
import { accountOfSubject, type Subject, type SubjectKind } from './subject.ts';
import { createNobodyWaits } from './waiting-followers.ts';

/** From here on it is worth looking whether the end is nearer: going past a row takes some 0.2 µs. */
const FAR = 1_000;

/** The order in which rows are asked for. */
interface RowOrder {
  readonly column: 'time' | 'popularity';
  readonly direction: 'asc' | 'desc';
  /** Of addresses, where that is the same. */
  readonly ties: 'asc' | 'desc';
}

/** Reads the entries of a page from the end; null where that is not nearer than the start, or cannot be told. */
type ReadFar = (subject: Subject, page: { limit: number; offset: number }) => string[] | null;

const OPPOSITE = { asc: 'desc', desc: 'asc' } as const;

/** For engines that answer at once: how many rows there are must be known, and be true of the same moment. */
export function createReadFar(
  dialect: Dialect,
  direct: SyncReader,
  kind: SubjectKind,
  { column, direction, ties }: RowOrder,
): ReadFar {
  const isByList = kind === 'list';
  const accountOf =
    kind === 'account' ? null : direct.prepareColumn<Subject, string>((db) => accountOfSubject(dialect, db, kind));
  const countAll = direct.prepareColumn<{ account: string }, number>((db) =>
    db.selectFrom('accounts').select('followers').where('address', '=', param<string>('account')),
  );
  const countHidden = direct.prepareColumn<{ account: string }, number>((db) =>
    db
      .selectFrom(dialect.indexedBy('followers', 'followers_hidden'))
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('target', '=', param<string>('account'))
      .where('hidden', '=', sql.lit(1)),
  );
  // While accounts wait to be placed, rows are not in the order of popularity.
  const isInOrder = column === 'popularity' ? createNobodyWaits(dialect, direct) : () => true;
  const fromEnd = direct.prepareColumn<{ account: string; limit: number; offset: number }, string>((db) =>
    db
      .selectFrom('followers')
      .select('entry')
      .where('target', '=', param<string>('account'))
      .$if(isByList, (query) => query.where('hidden', '=', sql.lit(0)))
      .orderBy(column, OPPOSITE[direction])
      .orderBy('address', OPPOSITE[ties])
      .limit(rowCount('limit'))
      .offset(rowCount('offset')),
  );

  return (subject, { limit, offset }) => {
    if (offset < FAR) return null;
    return direct.inSnapshot(() => {
      const account = subject.account ?? accountOf?.(subject)[0];
      if (account === undefined || !isInOrder()) return null;
      const [all = 0] = countAll({ account });
      const [hidden = 0] = isByList ? countHidden({ account }) : [];
      const behind = all - hidden - offset;
      if (behind >= offset) return null;
      if (behind <= 0) return [];
      const count = Math.min(limit, behind);
      return fromEnd({ account, limit: count, offset: behind - count }).reverse();
    });
  };
}
