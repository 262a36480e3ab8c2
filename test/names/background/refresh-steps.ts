import { PRIORITIES, queueProfiles } from '../../../src/names/background/profile-queue.ts';
import type { Address } from '../../../src/protocol/hex.ts';
import type { Store } from '../../../src/store/store.ts';
import { loadProfiles } from '../../support/load.ts';
import { accountOf, keeper, NOW } from '../enstate/set-up.ts';
import { profilesOf, type RefreshSetup } from './refresh-setup.ts';

/** Steps and assertions shared by the refresh tests. */

export const accounts = (count: number, first = 100): Address[] =>
  Array.from({ length: count }, (_, index) => accountOf(first + index));

export const nameOf = (account: Address) => `n${account.slice(2, 10)}.eth`;

/** Adds names to the fake server. */
export function addNames({ enstate }: RefreshSetup, named: readonly Address[]): void {
  for (const account of named) enstate.addName(nameOf(account), account);
}

/** Stores profiles of the given age. */
export const storeProfiles = (store: Store, addresses: readonly Address[], age: number) =>
  loadProfiles(
    store,
    addresses.map((address) => ({ address, name: nameOf(address), fresh: NOW - age })),
  );

export const queue = (store: Store, addresses: readonly Address[], priority: keyof typeof PRIORITIES = 'requested') =>
  store.transaction((tx) => queueProfiles(tx, addresses, PRIORITIES[priority]));

/** The queries of each request, without the control. */
export const queriesOf = ({ enstate }: RefreshSetup) =>
  enstate.requests.map(({ queries }) => queries.filter((query) => query !== keeper));

export const requestCount = (setup: RefreshSetup, account: Address) =>
  queriesOf(setup).filter((queries) => queries.includes(account)).length;

export async function namesIn(store: Store): Promise<Map<string, string>> {
  return new Map([...(await profilesOf(store))].map(([address, { name }]) => [address, name]));
}

export function failAll({ enstate }: RefreshSetup): void {
  enstate.faultOf = () => (response) => response.writeHead(500).end();
}

export const logged = (setup: RefreshSetup, level: 'info' | 'warn') =>
  setup.logged.filter((line) => line.level === level).map(({ message }) => message);
