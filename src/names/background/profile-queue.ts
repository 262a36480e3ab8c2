import type { UnixMs } from '../../async/unix-time.ts';
import type { Address } from '../../protocol/hex.ts';
import { param, rowCount } from '../../store/params.ts';
import type { Reader, Transaction } from '../../store/store.ts';

/** Lower is fetched first: accounts that clients requested, then new members of the leaderboard. */
export const PRIORITIES = { requested: 0, newMember: 1 } as const;

/** Queues profiles for the background refresh. An account that is queued already keeps the better priority. */
export async function queueProfiles(
  tx: Transaction,
  addresses: readonly string[],
  priority: (typeof PRIORITIES)[keyof typeof PRIORITIES],
): Promise<void> {
  const queued = await tx.read(
    'wanted_profiles',
    ['address'],
    addresses.map((address) => [address]),
  );
  const priorityOf = new Map(queued.map((row) => [row.address, row.priority]));
  const raised = addresses.filter((address) => priority < (priorityOf.get(address) ?? Number.POSITIVE_INFINITY));
  await tx.upsert(
    'wanted_profiles',
    raised.map((address) => ({ address, priority })),
  );
}

/** An account whose profile may be due. `fresh` and `name` are null if it has no stored profile. */
export interface Candidate {
  readonly address: Address;
  readonly fresh: UnixMs | null;
  readonly name: string | null;
}

/** Reads the head of the queue. */
export function createQueueLookup(reader: Reader): (limit: number) => Promise<Candidate[]> {
  const queued = reader.prepare<{ limit: number }, Candidate>((db) =>
    db
      .selectFrom('wanted_profiles')
      .leftJoin('profiles', 'profiles.address', 'wanted_profiles.address')
      .select((eb) => [eb.ref('wanted_profiles.address').$castTo<Address>().as('address'), 'fresh', 'name'])
      .orderBy('priority')
      .orderBy('wanted_profiles.address')
      .limit(rowCount('limit')),
  );
  return (limit) => queued({ limit });
}

/** Reads the leaderboard members after the address `after`, in address order. */
export function createMembersLookup(reader: Reader): (after: string, limit: number) => Promise<Candidate[]> {
  const members = reader.prepare<{ after: string; limit: number }, Candidate>((db) =>
    db
      .selectFrom('accounts')
      .innerJoin('leaderboard', 'leaderboard.account', 'accounts.id')
      .leftJoin('profiles', 'profiles.address', 'accounts.address')
      .select((eb) => [eb.ref('accounts.address').$castTo<Address>().as('address'), 'fresh', 'profiles.name'])
      .where('accounts.address', '>', param<string>('after'))
      .orderBy('accounts.address')
      .limit(rowCount('limit')),
  );
  return (after, limit) => members({ after, limit });
}

/** Filters accounts of the graph: those that have no profile, or one fetched before `since`. */
export function createStaleLookup(reader: Reader): (addresses: readonly string[], since: UnixMs) => Promise<string[]> {
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
