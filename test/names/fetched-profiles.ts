import type { FetchedProfile } from '../../src/names/profile-source.ts';
import { writeFetched } from '../../src/names/write-profiles.ts';
import type { Address } from '../../src/protocol/hex.ts';
import type { Store } from '../../src/store/store.ts';
import { ANN, ANNS, annsList, BOB, BOBS, bobsList, follow, logsOf } from '../model/small-history.ts';
import { loadLogs, loadRanks } from '../support/load.ts';
import { NOW } from './accounts.ts';
import { profilesOf } from './background/refresh-setup.ts';

const GATEWAYS = { ipfs: 'https://ipfs.example', arweave: 'https://ar.example', network: 'mainnet' } as const;

/** A profile as a source returns it, without records. */
export const fetched = (name: string, changes: Partial<FetchedProfile> = {}): FetchedProfile => ({
  name,
  display: '',
  resolver: '',
  records: {},
  chains: {},
  errors: {},
  fresh: NOW,
  ...changes,
});

export const avatarAt = (avatar: string) => ({ records: { avatar } });

export const write = (store: Store, ...profiles: readonly (readonly [Address, FetchedProfile])[]) =>
  store.transaction((tx) => writeFetched(tx, new Map(profiles), GATEWAYS));

export const ensOf = async (store: Store, account: Address) =>
  JSON.parse((await profilesOf(store)).get(account)?.ens ?? 'null');

export const namesOf = async (store: Store) =>
  Object.fromEntries([...(await profilesOf(store))].map(([address, { name }]) => [address, name]));

/** Name and avatar of each account in the entries of a table. */
export const entriesOf = async (store: Store, table: 'notifications' | 'leaderboard') => {
  const rows = await store.transaction((tx) => tx.query((db) => db.selectFrom(table).select('entry')));
  // A leaderboard entry is stored incomplete, with its counts on a second line.
  const whole = (entry: string) => (table === 'leaderboard' ? `${entry.split('\n', 1)[0]}}` : entry);
  const entries = rows.map(({ entry }) => JSON.parse(whole(entry)));
  return new Map(entries.map(({ address, name, avatar }) => [address, [name, avatar]]));
};

/** Loads a ranked graph in which ANN and BOB follow each other. */
export async function loadGraph(store: Store): Promise<void> {
  await loadLogs(store, logsOf([...annsList, ...bobsList, follow(ANNS, BOB), follow(BOBS, ANN)]));
  await loadRanks(store, 0);
}
