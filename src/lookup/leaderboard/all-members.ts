import { sql } from 'kysely';
import type { AllMembersBody } from '../../contract/leaderboard-schemas.ts';
import { selectRows, statement, statements } from '../../store/statement.ts';
import type { Reader, StreamReader } from '../../store/store.ts';
import { byGreatest, type Start, startOf } from '../order.ts';
import type { Page } from '../page.ts';
import { MEMBER_ADDRESS, pageOfLeaderboard, withProfiles } from './members.ts';

interface Row {
  readonly address: string;
  readonly name: string | null;
}

const members = statements((start: Start) =>
  statement<Page, Row>((db, dialect) => {
    const page = pageOfLeaderboard(byGreatest(sql`followers`), start, MEMBER_ADDRESS);
    return selectRows(db, withProfiles(dialect, page, ['name']));
  }),
);

/** More than there can be members, and an integer on PostgreSQL. */
const ALL = 2 ** 31 - 1;

/** All members of the leaderboard from `offset` on, by followers. */
export async function* streamMembers(
  reader: StreamReader,
  { offset }: Pick<Page, 'offset'>,
): AsyncGenerator<AllMembersBody> {
  for await (const rows of reader.stream(members(startOf({ offset })), { limit: ALL, offset })) yield bodyOf(rows);
}

/** A page of them. */
export async function readMembers(reader: Reader, { limit, offset }: Page): Promise<AllMembersBody> {
  return bodyOf(await reader.all(members(startOf({ offset })), { limit, offset }));
}

function bodyOf(rows: readonly Row[]): AllMembersBody {
  return { results: rows.map(({ address, name }) => ({ address, name: name ?? '' })) };
}
