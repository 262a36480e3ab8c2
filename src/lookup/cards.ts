import { sql } from 'kysely';
import { COUNTED, type Counts } from '../graph/counts.ts';
import type { Address } from '../protocol/hex.ts';
import type { Reader } from '../store/store.ts';
import { givenTexts } from './given-texts.ts';

/** What lookups of several accounts show of each. */
export interface Card {
  readonly address: Address;
  readonly name: string;
  readonly avatar: string;
  readonly header: string;
  /** The whole profile as JSON; null if there is none, or if it was not read. */
  readonly ens: string | null;
  /** Current counts. */
  readonly followers_now: number;
  readonly following_now: number;
}

/** A card, with the counts of the leaderboard; null outside it. */
export type RankedCard = Card & Readonly<Record<keyof Counts, number | null>>;

/** Reads the cards of some accounts, in the order of the addresses. Profiles are large, so `ens` is read on demand. */
export type ReadCards = (addresses: readonly string[], options?: { withEns: boolean }) => Promise<RankedCard[]>;

export function createReadCards(reader: Reader): ReadCards {
  const prepare = (withEns: boolean) =>
    reader.prepare<{ addresses: string }, RankedCard>((db) =>
      db
        .selectFrom(givenTexts(reader.dialect, 'addresses'))
        .leftJoin('profiles', 'profiles.address', 'given.text')
        .leftJoin('accounts', 'accounts.address', 'given.text')
        .leftJoin('leaderboard', 'leaderboard.address', 'given.text')
        .select((eb) => [
          eb.ref('given.text').$castTo<Address>().as('address'),
          sql<string>`coalesce(profiles.name, '')`.as('name'),
          sql<string>`coalesce(profiles.avatar, '')`.as('avatar'),
          sql<string>`coalesce(profiles.header, '')`.as('header'),
          (withEns ? sql<string | null>`profiles.ens` : sql<null>`null`).as('ens'),
          sql<number>`coalesce(accounts.followers, 0)`.as('followers_now'),
          sql<number>`coalesce(accounts.following, 0)`.as('following_now'),
          ...COUNTED.map((count) => `leaderboard.${count}` as const),
        ]),
    );
  const [short, whole] = [prepare(false), prepare(true)];
  return async (addresses, { withEns } = { withEns: false }) => {
    if (addresses.length === 0) return [];
    const cards = await (withEns ? whole : short)({ addresses: JSON.stringify(addresses) });
    const byAddress = new Map(cards.map((card) => [card.address as string, card]));
    return addresses.flatMap((address) => byAddress.get(address) ?? []);
  };
}

export function cardOf({ address, name, avatar, header }: Card) {
  return { address, name, avatar, header };
}
