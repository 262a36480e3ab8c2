import type { UnixMs } from '../../async/unix-time.ts';
import type { Address } from '../../protocol/hex.ts';
import { param, rowCount } from '../../store/params.ts';
import { statement } from '../../store/statement.ts';
import type { Reader, Transaction } from '../../store/store.ts';

/** Lower is fetched first: accounts that clients requested, then new members of the leaderboard. */
export const PRIORITIES = { requested: 0, newMember: 1 } as const;

/** Queues profiles for the background refresh. An account that is queued already keeps the better priority. */
export async function queueProfiles(
  tx: Transaction,
  addresses: readonly string[],
  priority: (typeof PRIORITIES)[keyof typeof PRIORITIES],
): Promise<void> {
  const queued = await tx.readBy('wanted_profiles', 'address', addresses);
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

/** The head of the queue. */
export const QUEUED = statement<{ limit: number }, Candidate>((db) =>
  db
    .selectFrom('wanted_profiles')
    .leftJoin('profiles', 'profiles.address', 'wanted_profiles.address')
    .select((eb) => [eb.ref('wanted_profiles.address').$castTo<Address>().as('address'), 'fresh', 'name'])
    .orderBy('priority')
    .orderBy('wanted_profiles.address')
    .limit(rowCount('limit')),
);

/** The leaderboard members after the address `after`, in address order. */
export const MEMBERS = statement<{ after: string; limit: number }, Candidate>((db) =>
  db
    .selectFrom('accounts')
    .innerJoin('leaderboard', 'leaderboard.account', 'accounts.id')
    .leftJoin('profiles', 'profiles.address', 'accounts.address')
    .select((eb) => [eb.ref('accounts.address').$castTo<Address>().as('address'), 'fresh', 'profiles.name'])
    .where('accounts.address', '>', param<string>('after'))
    .orderBy('accounts.address')
    .limit(rowCount('limit')),
);

const STALE = statement<{ addresses: string; since: UnixMs }, { address: string }>((db, dialect) =>
  db
    .selectFrom('accounts')
    .leftJoin('profiles', 'profiles.address', 'accounts.address')
    .select('accounts.address')
    .where('accounts.address', 'in', dialect.textsOf(param<string>('addresses')))
    .where((eb) => eb.or([eb('fresh', 'is', null), eb('fresh', '<', param<number>('since'))])),
);

/** Filters accounts of the graph: those that have no profile, or one fetched before `since`. */
export async function readStale(reader: Reader, addresses: readonly string[], since: UnixMs): Promise<string[]> {
  const rows = await reader.all(STALE, { addresses: JSON.stringify(addresses), since });
  return rows.map(({ address }) => address);
}
