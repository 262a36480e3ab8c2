import { readNotifications } from '../../src/lookup/activity/notifications.ts';
import { readRanked } from '../../src/lookup/leaderboard/members.ts';
import { RankBook } from '../../src/lookup/leaderboard/rank-book.ts';
import type { FetchedProfile } from '../../src/names/profile-source.ts';
import { writeFetched } from '../../src/names/write-profiles.ts';
import type { Address } from '../../src/protocol/hex.ts';
import type { Store } from '../../src/store/store.ts';
import { ANN, ANNS, annsList, BOB, BOBS, bobsList, follow, logsOf } from '../model/small-history.ts';
import { loadLogs, loadRanks } from '../support/load.ts';
import { wholeOf } from '../support/whole-of.ts';
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
  store.transaction((tx) => writeFetched(tx, new Map(profiles), GATEWAYS, Number.POSITIVE_INFINITY));

export const ensOf = async (store: Store, account: Address) =>
  JSON.parse((await profilesOf(store)).get(account)?.ens ?? 'null');

export const namesOf = async (store: Store) =>
  Object.fromEntries([...(await profilesOf(store))].map(([address, { name }]) => [address, name]));

const PAGE = { limit: 100, offset: 0 };

const READ = {
  leaderboard: async ({ reader }: Store) =>
    wholeOf(await readRanked(reader, new RankBook(), { ...PAGE, sort: 'followers', direction: 'desc' })).results,
  /** Of ANN and BOB. */
  notifications: async ({ reader }: Store) => {
    const page = { ...PAGE, opcode: 0, interval: 'all', end: NOW, tag: '', cursor: null } as const;
    const bodies = [ANN, BOB].map((account) => readNotifications(reader, { kind: 'account', account }, page));
    return (await Promise.all(bodies)).flatMap(({ body }) => wholeOf(body).notifications);
  },
};

/** Name and avatar of each account in the entries of a lookup. */
export const entriesOf = async (store: Store, lookup: keyof typeof READ) =>
  new Map((await READ[lookup](store)).map(({ address, name, avatar }) => [address, [name, avatar]]));

/** Loads a ranked graph in which ANN and BOB follow each other. */
export async function loadGraph(store: Store): Promise<void> {
  await loadLogs(store, logsOf([...annsList, ...bobsList, follow(ANNS, BOB), follow(BOBS, ANN)]));
  await loadRanks(store, 0);
}
