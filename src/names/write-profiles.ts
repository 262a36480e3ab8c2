import { sql } from 'kysely';
import { isAhead, type UnixMs } from '../async/unix-time.ts';
import type { StoredEns } from '../contract/schemas.ts';
import type { Address } from '../protocol/hex.ts';
import { listSearchChanges } from '../rows/search-changes.ts';
import type { Row } from '../store/schema.ts';
import type { Transaction } from '../store/store.ts';
import { type ImageGateways, type ImageKey, imageUrl } from './image-url.ts';
import { namelessRow, profileRow } from './profile.ts';
import type { FetchedProfile } from './profile-source.ts';

/**
 * Upserts profiles that are fresher than the stored ones, and lists new names for searches. Returns the number of profiles
 * written.
 */
export async function writeProfiles(tx: Transaction, profiles: readonly Row<'profiles'>[]): Promise<number> {
  const known = await readProfiles(
    tx,
    profiles.map(({ address }) => address),
  );
  return storeNewer(tx, profiles, known);
}

/** Merges fetched profiles with the stored ones and upserts those that are fresher, or whose stored time is ahead. */
export async function writeFetched(
  tx: Transaction,
  fetched: ReadonlyMap<Address, FetchedProfile>,
  gateways: ImageGateways,
  now: UnixMs,
): Promise<void> {
  const known = await readProfiles(tx, [...fetched.keys()]);
  const profiles = [...fetched].map(([address, profile]) =>
    mergeProfile(address, profile, known.get(address), gateways),
  );
  await storeNewer(tx, profiles, known, now);
}

/** What answers show without the whole profile, see `SOURCES`. */
const SHOWN_ALONE = ['name', 'avatar', 'header'] as const;

type Known = ReadonlyMap<string, Row<'profiles'>>;

async function readProfiles(tx: Transaction, addresses: readonly string[]): Promise<Known> {
  const stored = await tx.readBy('profiles', 'address', addresses);
  return new Map(stored.map((profile) => [profile.address, profile]));
}

async function storeNewer(
  tx: Transaction,
  profiles: readonly Row<'profiles'>[],
  stored: Known,
  now = Number.POSITIVE_INFINITY,
): Promise<number> {
  const newest = new Map<string, Row<'profiles'>>();
  for (const profile of profiles) {
    const other = newest.get(profile.address) ?? stored.get(profile.address);
    if (other === undefined || isAhead(other.fresh, now) || isNewer(profile, other))
      newest.set(profile.address, profile);
  }
  const given = new Set(newest.keys());
  const lost = await readLostNames(tx, [...newest.values()]);
  for (const profile of lost) newest.set(profile.address, profile);
  const former = lost.filter(({ address }) => !given.has(address)).map(({ address }) => address);
  const known: Known = former.length === 0 ? stored : new Map([...stored, ...(await readProfiles(tx, former))]);
  // An older claim of a name that another account holds by now may leave the profile as it was.
  const changed = [...newest.values()].filter(({ address, ens }) => ens !== known.get(address)?.ens);
  if (changed.length === 0) return 0;
  const isRefetched = (profile: Row<'profiles'>) => {
    const before = known.get(profile.address);
    return before !== undefined && SHOWN_ALONE.every((column) => profile[column] === before[column]);
  };
  await tx.patch('profiles', ['fresh', 'ens'], changed.filter(isRefetched));
  await tx.upsert(
    'profiles',
    changed.filter((profile) => !isRefetched(profile)),
  );
  await listRenamed(
    tx,
    changed.filter(({ address, search_name }) => search_name !== (known.get(address)?.search_name ?? '')),
  );
  return changed.filter(({ address }) => given.has(address)).length;
}

function isNewer(profile: Row<'profiles'>, known: Row<'profiles'>): boolean {
  return profile.fresh > known.fresh || (profile.fresh === known.fresh && profile.ens !== known.ens);
}

/** Members of the leaderboard are found by their new names. */
async function listRenamed(tx: Transaction, renamed: readonly Row<'profiles'>[]): Promise<void> {
  const accounts = await tx.readBy(
    'accounts',
    'address',
    renamed.map(({ address }) => address),
  );
  await listSearchChanges(
    tx,
    accounts.map(({ id }) => id),
  );
}

type NameClaim = Pick<Row<'profiles'>, 'address' | 'name' | 'fresh'>;

/**
 * A name resolves to one address, so of several profiles with one name only the latest is right, see `readHolder`.
 * Returns the rows of all others, given or stored, without the name.
 */
async function readLostNames(tx: Transaction, given: readonly Row<'profiles'>[]): Promise<Row<'profiles'>[]> {
  const names = new Set(given.map(({ name }) => name));
  names.delete('');
  if (names.size === 0) return [];
  const stored = await tx.query<NameClaim>((db) =>
    db
      .selectFrom('profiles')
      .select(['address', 'name', 'fresh'])
      .where('name', 'in', tx.dialect.textsOf(sql.val(JSON.stringify([...names]))))
      // The literal lets the planner use the partial index on profiles with a name.
      .where('name', '<>', sql.lit('')),
  );
  // A given profile replaces the stored one of its account.
  const claims = new Map<string, NameClaim>([...stored, ...given].map((claim) => [claim.address, claim]));
  const holders = new Map<string, NameClaim>();
  for (const claim of claims.values()) {
    const holder = holders.get(claim.name);
    if (holder === undefined || isLater(claim, holder)) holders.set(claim.name, claim);
  }
  return (
    [...claims.values()]
      .filter((claim) => claim.name !== '' && holders.get(claim.name) !== claim)
      // Safe: the primary key of profiles is an address.
      .map(({ address, fresh }) => namelessRow(address as Address, fresh))
  );
}

function isLater(a: NameClaim, b: NameClaim): boolean {
  return a.fresh > b.fresh || (a.fresh === b.fresh && a.address < b.address);
}

/**
 * Builds the row to store from a fetched profile. A record that could not be read keeps its last value, if that
 * belongs to the same name, and its error is stored with it.
 */
export function mergeProfile(
  address: Address,
  fetched: FetchedProfile,
  before: Row<'profiles'> | undefined,
  gateways: ImageGateways,
): Row<'profiles'> {
  const { name, display, resolver, fresh } = fetched;
  // Safe: the column holds what `serialiseEns` wrote.
  const last = before !== undefined && before.name === name ? (JSON.parse(before.ens) as StoredEns) : undefined;
  const errors = { ...fetched.errors };
  const records = keepFailed(fetched.records, last?.records, errors, 'records');
  const chains = keepFailed(fetched.chains, last?.chains, errors, 'chains');
  const image = (key: ImageKey): string => {
    if (errors[`records.${key}`] !== undefined) return last?.[key] ?? '';
    const found = imageUrl(fetched.records[key] ?? '', key, name, gateways);
    if ('url' in found) return found.url;
    errors[`records.${key}`] = found.error;
    return '';
  };
  const avatar = image('avatar');
  const header = image('header');
  return profileRow(address, { name, avatar, header, display, records, chains, fresh, resolver, errors });
}

function keepFailed(
  fetched: Readonly<Record<string, string>>,
  last: Readonly<Record<string, string>> | undefined,
  errors: Readonly<Record<string, string>>,
  group: string,
): Record<string, string> {
  const failed = (key: string) => errors[`${group}.${key}`] !== undefined && !Object.hasOwn(fetched, key);
  const kept = Object.entries(last ?? {}).filter(([key]) => failed(key));
  return { ...fetched, ...Object.fromEntries(kept) };
}
