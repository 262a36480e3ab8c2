import { sql } from 'kysely';
import type { MintersBody, SlotDetailsBody } from '../../contract/lookup-schemas.ts';
import { parseSlotKey, type SlotKey } from '../../protocol/slot-key.ts';
import { param } from '../../store/params.ts';
import { selectRows, statement, statements } from '../../store/statement.ts';
import type { Reader } from '../../store/store.ts';
import { withProfiles } from '../leaderboard/members.ts';
import { isAfter } from '../order.ts';
import { PAGE, type Page, type Paged, splitPage } from '../page.ts';
import { ProblemError } from '../problem.ts';

interface SlotRow {
  readonly token_id: string;
  readonly owner: string;
  readonly manager: string | null;
  readonly user: string | null;
  readonly name: string | null;
  readonly avatar: string | null;
  readonly header: string | null;
  readonly is_primary: number;
}

/** Several lists may point at one slot: the primary list of its user comes first, then the smallest number. */
const listInSlot = statement<{ key: SlotKey }, SlotRow>((db) => {
  const isPrimary = sql`case when users.active_slot = slots.id and users.active_list = lists.token_id then 1 else 0 end`;
  const found = sql`select lists.token_id, owners.address as owner, managers.address as manager,
      users.address as "user", profiles.name, profiles.avatar, profiles.header, ${isPrimary} as is_primary
    from slots join lists on lists.slot = slots.id join accounts as owners on owners.id = lists.owner
    left join accounts as users on users.id = slots."user" left join accounts as managers on managers.id = slots.manager
    left join profiles on profiles.address = users.address where slots.key = ${param('key')}
    order by ${isPrimary} desc, length(lists.token_id), lists.token_id limit 1`;
  return selectRows(db, found);
});

/** A slot, and the list that points at it. Rejects with a `ProblemError` if there is none. */
export async function readSlotDetails(reader: Reader, key: SlotKey): Promise<SlotDetailsBody> {
  const [row] = await reader.all(listInSlot, { key });
  if (row === undefined) throw new ProblemError('unknown-list', `no list is stored at ${key}`);
  const { chainId, contract } = parseSlotKey(key);
  return {
    slotDetails: {
      chainId: Number(chainId),
      contractAddress: contract,
      tokenId: Number(row.token_id),
      owner: row.owner,
      manager: row.manager ?? '',
      user: row.user ?? '',
      userName: row.name ?? '',
      userAvatar: row.avatar ?? '',
      userHeader: row.header ?? '',
      isPrimaryList: row.is_primary === 1,
    },
  };
}

interface MinterRow {
  readonly address: string;
  readonly name: string | null;
  readonly avatar: string | null;
  readonly list: string;
}

interface MinterParams extends Page {
  readonly after_digits: number;
  readonly after_list: string;
}

/** The number of the last list. */
type MinterKey = readonly [list: string];

export function parseMinterKey([list, ...rest]: readonly unknown[]): MinterKey | undefined {
  const isList = typeof list === 'string' && /^\d{1,78}$/.test(list);
  return isList && rest.length === 0 ? [list] : undefined;
}

/** Reads lists from the greatest number on, and keeps those that are the greatest of their account. */
const minters = statements((isContinued: boolean) =>
  statement<MinterParams, MinterRow>((db, dialect) => {
    const greatest = sql`(select own.id from lists as own where own.account = lists.account and own.account is not null
      order by length(own.token_id) desc, own.token_id desc limit 1)`;
    const order = [
      [sql`length(token_id)`, 'desc'],
      [sql`token_id`, 'desc'],
    ] as const;
    const after = isAfter(order, [param('after_digits'), param('after_list')]);
    const page = sql`select token_id as list, (select address from accounts where accounts.id = lists.account) as address
      from lists where account is not null and id = ${greatest} ${isContinued ? sql`and ${after}` : sql``}
      order by length(token_id) desc, token_id desc ${PAGE}`;
    return selectRows(db, withProfiles(dialect, page, ['name', 'avatar']));
  }),
);

/** The accounts that lists belong to, each once, by the greatest number of their lists. */
export async function readMinters(
  reader: Reader,
  { limit, offset, cursor }: Page & { readonly cursor: MinterKey | null },
): Promise<Paged<MintersBody>> {
  const [after_list] = cursor ?? [''];
  const params = { limit: limit + 1, offset, after_digits: after_list.length, after_list };
  const { shown, next } = splitPage(await reader.all(minters(cursor !== null), params), limit, ({ list }) => [list]);
  const entries = shown.map(({ address, name, avatar, list }) => ({
    ...{ address, name: name ?? '', avatar: avatar ?? '', list },
  }));
  return { body: { minters: entries }, next };
}
