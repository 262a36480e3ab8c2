import { AccountBody, EnsBody, ListAccountBody, ListsBody, PrimaryListBody } from '../../contract/lookup-schemas.ts';
import { AccountDetails, BadgesBody, Stats } from '../../contract/schemas.ts';
import { readAccount, readEns, readPrimaryList, readStats, streamLists } from '../../lookup/accounts/account.ts';
import type { Lookups } from '../../lookup/lookups.ts';
import type { Route, RouteFactory } from './route.ts';

export function accountRoutes(lookups: Lookups, { about }: RouteFactory): Route[] {
  const fact = { group: 'accounts', query: {}, subject: 'account' } as const;
  const account = about({
    ...fact,
    path: 'account',
    description: 'The address of the account and its ENS profile. An address without a profile has empty texts.',
    response: AccountBody,
    lookup: readAccount,
  });
  const listAccount = about({
    ...fact,
    path: 'account',
    description: 'The address of the account and its ENS profile. An address without a profile has empty texts.',
    response: ListAccountBody,
    lookup: lookups.listAccount,
  });
  const details = about({
    ...fact,
    path: 'details',
    description:
      'ENS profile, ranks, primary list and current counts. An account that is not on the leaderboard has rank 0.',
    subject: 'both',
    response: AccountDetails,
    lookup: lookups.details,
  });
  const ens = about({
    ...fact,
    path: 'ens',
    description: 'The ENS profile of the account, with the address inside.',
    response: EnsBody,
    lookup: readEns,
  });
  const primaryList = about({
    ...fact,
    path: 'primary-list',
    description: 'Empty unless the list exists, has a storage location, and its slot names the account as its user.',
    response: PrimaryListBody,
    lookup: readPrimaryList,
  });
  const lists = about({
    ...fact,
    path: 'lists',
    description: 'All lists that exist and that the account owns, or whose slot names it as user or manager.',
    response: ListsBody,
    stream: streamLists,
  });
  const stats = about({
    ...fact,
    path: 'stats',
    description: 'Current numbers, not as of the last ranking.',
    subject: 'both',
    response: Stats,
    lookup: readStats,
  });
  const badges = about({
    ...fact,
    path: 'badges',
    description:
      'One entry per configured event, held or not. While the badge source is down, the last known answer is returned, and 503 if nothing is known yet.',
    response: BadgesBody,
    dependsOnClock: () => lookups.sources.badges !== 'none',
    renew: 'badges',
    lookup: lookups.badges,
  });
  return [
    account.ofUser('Profile of an account'),
    listAccount.ofList('Profile of the account of a list'),
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
