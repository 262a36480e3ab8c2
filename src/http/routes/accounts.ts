import {
  AccountBody,
  EnsBody,
  ListAccountBody,
  ListsBody,
  PrimaryListBody,
  StatsBody,
} from '../../contract/lookup-schemas.ts';
import { AccountDetails, BadgesBody } from '../../contract/schemas.ts';
import type { Lookups } from '../../lookup/lookups.ts';
import type { Route, RouteFactory } from '../route.ts';

export function accountRoutes(lookups: Lookups, { about }: RouteFactory): Route[] {
  const fact = { group: 'accounts', query: {} } as const;
  const account = about({ ...fact, path: 'account', response: AccountBody, lookup: lookups.account });
  const details = about({ ...fact, path: 'details', response: AccountDetails, lookup: lookups.details });
  const ens = about({ ...fact, path: 'ens', response: EnsBody, lookup: lookups.ens });
  const primaryList = about({
    ...fact,
    path: 'primary-list',
    response: PrimaryListBody,
    lookup: lookups.primaryList,
  });
  const lists = about({ ...fact, path: 'lists', response: ListsBody, lookup: lookups.lists });
  const stats = about({ ...fact, path: 'stats', response: StatsBody, lookup: lookups.stats });
  const badges = about({
    ...fact,
    path: 'badges',
    response: BadgesBody,
    dependsOnClock: () => lookups.sources.badges !== 'none',
    renew: 'badges',
    lookup: lookups.badges,
  });
  return [
    account.ofUser('Profile of an account'),
    account.ofList('Profile of the account of a list', ListAccountBody),
    details.ofUser('Profile and ranks of an account'),
    details.ofList('Profile and ranks of the account of a list'),
    ens.ofUser('ENS profile of an account'),
    primaryList.ofUser('Primary list of an account'),
    lists.ofUser('Lists that an account owns, uses or manages'),
    stats.ofUser('Current numbers of followers and of accounts followed'),
    stats.ofList('Current numbers of followers of the account, and of accounts that the list follows'),
    badges.ofUser('Badges of an account'),
    badges.ofList('Badges of the account of a list'),
  ];
}
