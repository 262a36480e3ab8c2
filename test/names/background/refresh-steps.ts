import { PRIORITIES, queueProfiles } from '../../../src/names/background/profile-queue.ts';
import type { Address } from '../../../src/protocol/hex.ts';
import type { Store } from '../../../src/store/store.ts';
import { loadProfiles } from '../../support/load.ts';
import { accountOf, NOW } from '../accounts.ts';
import { profilesOf, type RefreshSetup } from './refresh-setup.ts';

/** Steps and assertions shared by the refresh tests. */

export const accounts = (count: number, first = 100): Address[] =>
  Array.from({ length: count }, (_, index) => accountOf(first + index));

export const nameOf = (account: Address) => `n${account.slice(2, 10)}.eth`;

/** Adds names to the fake node. */
export function addNames({ node }: RefreshSetup, named: readonly Address[]): void {
  for (const account of named) node.addName(nameOf(account), account);
}

/** Stores profiles of the given age. */
export const storeProfiles = (store: Store, addresses: readonly Address[], age: number) =>
  loadProfiles(
    store,
    addresses.map((address) => ({ address, name: nameOf(address), fresh: NOW - age })),
  );

export const queue = (store: Store, addresses: readonly Address[], priority: keyof typeof PRIORITIES = 'requested') =>
  store.transaction((tx) => queueProfiles(tx, addresses, PRIORITIES[priority]));

export const fetchCount = ({ fetched }: RefreshSetup, account: Address) =>
  fetched.filter((other) => other === account).length;

export async function namesIn(store: Store): Promise<Map<string, string>> {
  return new Map([...(await profilesOf(store))].map(([address, { name }]) => [address, name]));
}

export function failAll({ node }: RefreshSetup): void {
  node.faultOf = () => 'error';
}

export const logged = (setup: RefreshSetup, level: 'info' | 'warn') =>
  setup.logged.filter((line) => line.level === level).map(({ message }) => message);
