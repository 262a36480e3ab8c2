import { sql } from 'kysely';
import type { AllMembersBody } from '../../contract/leaderboard-schemas.ts';
import { selectRows, statement, statements } from '../../store/statement.ts';
import type { StreamReader } from '../../store/store.ts';
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

/** The members of the leaderboard by followers; all of them if `limit` is null. */
export async function* streamMembers(
  reader: StreamReader,
  { limit, offset }: { readonly limit: number | null; readonly offset: number },
): AsyncGenerator<AllMembersBody> {
  for await (const rows of reader.stream(members(startOf({ offset })), { limit: limit ?? ALL, offset })) {
    yield { results: rows.map(({ address, name }) => ({ address, name: name ?? '' })) };
  }
}
