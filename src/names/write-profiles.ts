import type { Address } from '../protocol/hex.ts';
import { indexMembers } from '../rows/leaderboard-rows.ts';
import type { Row } from '../store/schema.ts';
import type { Transaction } from '../store/store.ts';
import type { ImageGateways } from './image-url.ts';
import { readLostNames } from './lost-names.ts';
import { mergeProfile } from './merge-profile.ts';
import type { FetchedProfile } from './profile-source.ts';

/**
 * Upserts profiles that are fresher than the stored ones, and updates the search index. Returns the number of profiles
 * written.
 */
export async function writeProfiles(tx: Transaction, profiles: readonly Row<'profiles'>[]): Promise<number> {
  const known = await readProfiles(
    tx,
    profiles.map(({ address }) => address),
  );
  return storeNewer(tx, profiles, known);
}

/** Merges fetched profiles with the stored ones and upserts those that are fresher. */
export async function writeFetched(
  tx: Transaction,
  fetched: ReadonlyMap<Address, FetchedProfile>,
  gateways: ImageGateways,
): Promise<void> {
  const known = await readProfiles(tx, [...fetched.keys()]);
  const profiles = [...fetched].map(([address, profile]) =>
    mergeProfile(address, profile, known.get(address), gateways),
  );
  await storeNewer(tx, profiles, known);
}

type Known = ReadonlyMap<string, Row<'profiles'>>;

async function readProfiles(tx: Transaction, addresses: readonly string[]): Promise<Known> {
  const stored = await tx.readBy('profiles', 'address', addresses);
  return new Map(stored.map((profile) => [profile.address, profile]));
}

async function storeNewer(tx: Transaction, profiles: readonly Row<'profiles'>[], stored: Known): Promise<number> {
  const newest = new Map<string, Row<'profiles'>>();
  for (const profile of profiles) {
    const other = newest.get(profile.address) ?? stored.get(profile.address);
    if (other === undefined || isNewer(profile, other)) newest.set(profile.address, profile);
  }
  const given = new Set(newest.keys());
  const lost = await readLostNames(tx, [...newest.values()]);
  for (const profile of lost) newest.set(profile.address, profile);
  const former = lost.filter(({ address }) => !given.has(address)).map(({ address }) => address);
  const known: Known = former.length === 0 ? stored : new Map([...stored, ...(await readProfiles(tx, former))]);
  // An older claim of a name that another account holds by now may leave the profile as it was.
  const changed = [...newest.values()].filter(({ address, ens }) => ens !== known.get(address)?.ens);
  if (changed.length === 0) return 0;
  await tx.upsert('profiles', changed);
  await reindexMembers(
    tx,
    changed.filter(({ address, search_name }) => search_name !== (known.get(address)?.search_name ?? '')),
  );
  await tx.raiseVersion();
  return changed.filter(({ address }) => given.has(address)).length;
}

function isNewer(profile: Row<'profiles'>, known: Row<'profiles'>): boolean {
  return profile.fresh > known.fresh || (profile.fresh === known.fresh && profile.ens !== known.ens);
}

/** Members of the leaderboard are found by their new names. */
async function reindexMembers(tx: Transaction, renamed: readonly Row<'profiles'>[]): Promise<void> {
  const accounts = await tx.readBy(
    'accounts',
    'address',
    renamed.map(({ address }) => address),
  );
  const names = new Map(renamed.map(({ address, search_name }) => [address, search_name]));
  const members = await tx.readBy(
    'leaderboard',
    'account',
    accounts.map(({ id }) => id),
  );
  await indexMembers(
    tx,
    members,
    members.map((member) => ({ ...member, name: names.get(member.address_key) ?? '' })),
  );
}
