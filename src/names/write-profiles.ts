import { batches } from '../async/batches.ts';
import { storedEntry } from '../contract/entry-layout.ts';
import type { Address } from '../protocol/hex.ts';
import { CellReader, datedOps, recordsOf } from '../rows/cells.ts';
import { rewriteDetails } from '../rows/details-rows.ts';
import { changeLeaderboard } from '../rows/leaderboard-rows.ts';
import { notificationOf, writeNotifications } from '../rows/notification-rows.ts';
import { patchEdges } from '../rows/patch-edges.ts';
import type { Row } from '../store/schema.ts';
import type { Transaction } from '../store/store.ts';
import type { ImageGateways } from './image-url.ts';
import { readLostNames } from './lost-names.ts';
import { mergeProfile } from './merge-profile.ts';
import type { FetchedProfile } from './profile-source.ts';

/**
 * Upserts profiles that are fresher than the stored ones, with all rows that contain a name or an avatar. Returns the
 * number of profiles written.
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
  const stored = await tx.read(
    'profiles',
    ['address'],
    addresses.map((address) => [address]),
  );
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
  const shown = changed.filter((profile) => {
    const before = known.get(profile.address);
    return (['name', 'avatar', 'header'] as const).some((part) => profile[part] !== (before?.[part] ?? ''));
  });
  const accounts = await readAccounts(tx, shown);
  await rewriteNotifications(tx, accounts);
  const renamed = shown.filter(({ address, name }) => name !== (known.get(address)?.name ?? ''));
  await renameEdges(tx, accounts, new Map(renamed.map(({ address, name }) => [address, name.toLowerCase()])));
  await rewriteLeaderboard(tx, shown);
  await rewriteDetails(
    tx,
    changed.map(({ address }) => address),
  );
  await tx.raiseVersion();
  return changed.filter(({ address }) => given.has(address)).length;
}

function isNewer(profile: Row<'profiles'>, known: Row<'profiles'>): boolean {
  return profile.fresh > known.fresh || (profile.fresh === known.fresh && profile.ens !== known.ens);
}

/** Slots read per query: saves round trips, and limits memory if all of them are large. */
const SLOTS_PER_BATCH = 100;

function readAccounts(tx: Transaction, profiles: readonly Row<'profiles'>[]): Promise<Row<'accounts'>[]> {
  return tx.read(
    'accounts',
    ['address'],
    profiles.map((profile) => [profile.address]),
  );
}

function renameEdges(
  tx: Transaction,
  accounts: readonly Row<'accounts'>[],
  names: ReadonlyMap<string, string>,
): Promise<void> {
  return patchEdges(
    tx,
    'name',
    accounts.flatMap(({ address, active_slot }) => {
      const name = names.get(address);
      return name === undefined ? [] : [{ address, active_slot, name }];
    }),
  );
}

async function rewriteNotifications(tx: Transaction, accounts: readonly Row<'accounts'>[]): Promise<void> {
  const active = accounts.flatMap(({ address, active_list: list, active_slot: slot }) =>
    // Safe: the primary key of accounts is an address.
    list === null || slot === null ? [] : [{ source: address as Address, list, slot }],
  );
  const reader = new CellReader(tx);
  for await (const batch of batches(active, SLOTS_PER_BATCH)) {
    const cells = await reader.readSubjects(batch.map(({ slot }) => slot));
    const notifications = batch.flatMap(({ source, list, slot }) =>
      [...recordsOf(cells, slot, source)].flatMap(([, logs]) =>
        datedOps(logs).map((op) => notificationOf(op, source, list)),
      ),
    );
    await writeNotifications(tx, [], notifications);
  }
}

async function rewriteLeaderboard(tx: Transaction, profiles: readonly Row<'profiles'>[]): Promise<void> {
  const profileOf = new Map(profiles.map((profile) => [profile.address, profile]));
  const rows = await tx.read(
    'leaderboard',
    ['address'],
    profiles.map((profile) => [profile.address]),
  );
  const renamed = rows.map((row) => {
    const { name, avatar } = profileOf.get(row.address) ?? { name: '', avatar: '' };
    // Safe: the address column of the leaderboard holds addresses.
    const entry = storedEntry({ address: row.address as Address, name, avatar }, row);
    return { place: row.place, address: row.address, name: name.toLowerCase(), entry };
  });
  await changeLeaderboard(
    tx,
    renamed.map(({ place }) => place),
    () => tx.patch('leaderboard', ['name', 'entry'], renamed),
  );
}
