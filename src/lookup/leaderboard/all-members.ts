import { sql } from 'kysely';
import type { AllMembersBody } from '../../contract/leaderboard-schemas.ts';
import { selectRows, statement } from '../../store/statement.ts';
import type { StreamReader } from '../../store/store.ts';
import { KEEP_ORDER, PAGE, type Page } from '../page.ts';
import { BOARD_ORDER } from './leaderboard.ts';
import { profileOf } from './members.ts';

interface Row {
  readonly address: string;
  readonly name: string | null;
}

const members = statement<Page, Row>((db) => {
  const address = sql`(select address from accounts where accounts.id = leaderboard.account) as address`;
  const found = sql`select page.address, ${profileOf(['name'])}
    from (select ${address} from leaderboard order by ${BOARD_ORDER} ${PAGE}) as page ${KEEP_ORDER}`;
  return selectRows(db, found);
});

/** More than there can be members, and an integer on PostgreSQL. */
const ALL = 2 ** 31 - 1;

/** The members of the leaderboard by followers; all of them if `limit` is null. */
export async function* streamMembers(
  reader: StreamReader,
  { limit, offset }: { readonly limit: number | null; readonly offset: number },
): AsyncGenerator<AllMembersBody> {
  for await (const rows of reader.stream(members, { limit: limit ?? ALL, offset })) {
    yield { results: rows.map(({ address, name }) => ({ address, name: name ?? '' })) };
  }
}
