import { type RawBuilder, sql } from 'kysely';
import type { Card } from '../../contract/lookup-schemas.ts';
import { COUNTED, type Counts } from '../../graph/counts.ts';
import type { Address } from '../../protocol/hex.ts';
import { KEEP_ORDER } from '../page.ts';

/** What lookups of several accounts show of each. The counts are those of the leaderboard; null outside it. */
export interface CardRow extends Readonly<Record<keyof Counts, number | null>> {
  readonly address: Address;
  readonly name: string | null;
  readonly avatar: string | null;
  readonly header: string | null;
  /** The profile as JSON; null if there is none, or if it was not selected. */
  readonly ens: string | null;
  /** Current counts. */
  readonly followers_now: number;
  readonly following_now: number;
}

/**
 * Selects the cards of accounts. `page` selects the columns `account`, `position` in the order of the cards, and those in
 * `more`.
 */
export function selectCards(page: RawBuilder<unknown>, withEns: boolean, more = sql``): RawBuilder<unknown> {
  return sql`select accounts.address, profiles.name, profiles.avatar, profiles.header,
      ${withEns ? sql`profiles.ens` : sql`null as ens`},
      accounts.followers as followers_now, accounts.following as following_now,
      ${sql.join(COUNTED.map((count) => sql.ref(`leaderboard.${count}`)))} ${more}
    from (${page}) as page join accounts on accounts.id = page.account
    left join profiles on profiles.address = accounts.address
    left join leaderboard on leaderboard.account = page.account order by page.position ${KEEP_ORDER}`;
}

export function cardOf({ address, name, avatar, header }: CardRow): Card {
  return { address, name: name ?? '', avatar: avatar ?? '', header: header ?? '' };
}
