import type { Address } from '../protocol/hex.ts';
import { param, rowCount } from '../store/prepare.ts';
import type { Reader, Transaction } from '../store/store.ts';

/** Whose profile is fetched first: of accounts that people ask about, then of new members of the leaderboard. */
export const TURNS = { asked: 0, joined: 1 } as const;

/** Notes whose profiles are wanted before those of others. */
export async function wantProfiles(
  tx: Transaction,
  addresses: readonly string[],
  turn: (typeof TURNS)[keyof typeof TURNS],
): Promise<void> {
  const known = await tx.read(
    'wanted_profiles',
    ['address'],
    addresses.map((address) => [address]),
  );
  const turnOf = new Map(known.map((row) => [row.address, row.turn]));
  const sooner = addresses.filter((address) => turn < (turnOf.get(address) ?? Number.POSITIVE_INFINITY));
  await tx.upsert(
    'wanted_profiles',
    sooner.map((address) => ({ address, turn })),
  );
}

/** An account whose profile may be due: the rest is null when it has none. */
export interface Candidate {
  readonly address: Address;
  readonly fresh: number | null;
  readonly name: string | null;
}

/** Those that are wanted, in their turn. */
export function createWantedLookup(reader: Reader): (limit: number) => Promise<Candidate[]> {
  const wanted = reader.prepare<{ limit: number }, Candidate>((db) =>
    db
      .selectFrom('wanted_profiles')
      .leftJoin('profiles', 'profiles.address', 'wanted_profiles.address')
      .select((eb) => [eb.ref('wanted_profiles.address').$castTo<Address>().as('address'), 'fresh', 'name'])
      .orderBy('turn')
      .orderBy('wanted_profiles.address')
      .limit(rowCount('limit')),
  );
  return (limit) => wanted({ limit });
}

/** The members of the leaderboard that follow `after` in the order of addresses. */
export function createMembersLookup(reader: Reader): (after: string, limit: number) => Promise<Candidate[]> {
  const members = reader.prepare<{ after: string; limit: number }, Candidate>((db) =>
    db
      .selectFrom('leaderboard')
      .leftJoin('profiles', 'profiles.address', 'leaderboard.address')
      .select((eb) => [eb.ref('leaderboard.address').$castTo<Address>().as('address'), 'fresh', 'profiles.name'])
      .where('leaderboard.address', '>', param<string>('after'))
      .orderBy('leaderboard.address')
      .limit(rowCount('limit')),
  );
  return (after, limit) => members({ after, limit });
}

/** Those of some accounts of the graph whose profile is older than `since`, or that have none. */
export function createStaleLookup(reader: Reader): (addresses: readonly string[], since: number) => Promise<string[]> {
  const stale = reader.prepareColumn<{ addresses: string; since: number }, string>((db) =>
    db
      .selectFrom('accounts')
      .leftJoin('profiles', 'profiles.address', 'accounts.address')
      .select('accounts.address')
      .where('accounts.address', 'in', reader.dialect.textsOf(param<string>('addresses')))
      .where((eb) => eb.or([eb('fresh', 'is', null), eb('fresh', '<', param<number>('since'))])),
  );
  return (addresses, since) => stale({ addresses: JSON.stringify(addresses), since });
}
