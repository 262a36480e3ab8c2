import { type LeaderboardRow, serialiseLeaderboardRow } from '../contract/serialise.ts';
import { CellReader, datedOps, recordsOf } from '../ingest/change.ts';
import type { Notice } from '../ingest/graph-change.ts';
import { writeNotifications } from '../ingest/notification-rows.ts';
import type { Address } from '../protocol/hex.ts';
import type { Row } from '../store/schema.ts';
import type { Transaction } from '../store/store.ts';

/** Stores profiles, unless a fresher one is there, and tells how many were. Rows that show a name follow it. */
export async function writeProfiles(tx: Transaction, profiles: readonly Row<'profiles'>[]): Promise<number> {
  const stored = await tx.read(
    'profiles',
    ['address'],
    profiles.map((profile) => [profile.address]),
  );
  const known = new Map(stored.map((profile) => [profile.address, profile]));
  const newest = new Map<string, Row<'profiles'>>();
  for (const profile of profiles) {
    const other = newest.get(profile.address) ?? known.get(profile.address);
    if (other === undefined || isNewer(profile, other)) newest.set(profile.address, profile);
  }
  const changed = [...newest.values()];
  if (changed.length === 0) return 0;
  await tx.upsert('profiles', changed);
  const shown = changed.filter((profile) => {
    const before = known.get(profile.address);
    return profile.name !== (before?.name ?? '') || profile.avatar !== (before?.avatar ?? '');
  });
  await rewriteNotifications(tx, shown);
  await rewriteLeaderboard(tx, shown);
  await tx.raiseVersion();
  return changed.length;
}

function isNewer(profile: Row<'profiles'>, known: Row<'profiles'>): boolean {
  return profile.fresh > known.fresh || (profile.fresh === known.fresh && profile.ens !== known.ens);
}

async function rewriteNotifications(tx: Transaction, profiles: readonly Row<'profiles'>[]): Promise<void> {
  const accounts = await tx.read(
    'accounts',
    ['address'],
    profiles.map((profile) => [profile.address]),
  );
  const reader = new CellReader(tx);
  for (const { address, active_list, active_slot } of accounts) {
    if (active_list === null || active_slot === null) continue;
    // Safe: an account's key is an address.
    const source = address as Address;
    const records = recordsOf(await reader.readSubjects([active_slot]), active_slot, address);
    const notices = [...records].flatMap(([, logs]) =>
      datedOps(logs).map((op): Notice => ({ source, list: active_list, op })),
    );
    await writeNotifications(tx, notices);
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
    const entry = serialiseLeaderboardRow({ ...(JSON.parse(row.entry) as LeaderboardRow), name, avatar });
    return { address: row.address, name: name.toLowerCase(), entry };
  });
  await tx.patch('leaderboard', ['name', 'entry'], renamed);
}
