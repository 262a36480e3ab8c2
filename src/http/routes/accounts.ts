import { renderSVG } from 'uqr';
import { AccountsBody, type BatchAccount } from '../../contract/batch-schemas.ts';
import {
  AccountBody,
  AvatarLocation,
  EnsBody,
  ListAccountBody,
  ListsBody,
  MintersBody,
  PrimaryListBody,
  SimpleProfileBody,
  SlotDetailsBody,
  SvgBody,
} from '../../contract/lookup-schemas.ts';
import { AccountDetails, BadgesBody, ListBody, Stats } from '../../contract/schemas.ts';
import {
  readAccount,
  readAvatarUrl,
  readEns,
  readListAccount,
  readPrimaryList,
  readStats,
} from '../../lookup/accounts/account.ts';
import { readAccounts } from '../../lookup/accounts/accounts.ts';
import { parseMinterKey, readList, readMinters, readSlotDetails, streamLists } from '../../lookup/accounts/lists.ts';
import type { Lookups } from '../../lookup/lookups.ts';
import { slotKey } from '../../protocol/register-values.ts';
import { cursor, offsetPage } from '../request/cursor.ts';
import * as parameter from '../request/parameters.ts';
import { about, BATCH, IN_ORDER, type Route, route } from './route.ts';

/** Scanners need a light border of four modules. */
const QR_CODE = { ecc: 'M', border: 4 } as const;

export function accountRoutes(lookups: Lookups): Route[] {
  const profile = {
    path: 'account',
    description: 'The address of the account and its ENS profile. An address without a profile has empty texts.',
    dependsOn: ['profiles'],
  } as const;
  const account = about({ ...profile, response: AccountBody, lookup: readAccount });
  const listAccount = about({
    ...profile,
    response: ListAccountBody,
    profilesIn: ({ address }) => [address],
    lookup: readListAccount,
  });
  const details = about({
    path: 'details',
    description:
      'ENS profile, ranks, primary list and current counts. An account that is not on the leaderboard has rank 0.',
    scope: 'both',
    response: AccountDetails,
    dependsOn: ['graph', 'profiles', 'ranks'],
    profilesIn: ({ address }) => [address],
    lookup: lookups.details,
  });
  const ens = about({
    path: 'ens',
    description: 'The ENS profile of the account, with the address inside.',
    response: EnsBody,
    dependsOn: ['profiles'],
    lookup: readEns,
  });
  const primaryList = about({
    path: 'primary-list',
    description: 'Empty unless the list exists, has a storage location, and its slot names the account as its user.',
    response: PrimaryListBody,
    dependsOn: ['graph'],
    lookup: readPrimaryList,
  });
  const lists = about({
    path: 'lists',
    description: 'All lists that exist and that the account owns, or whose slot names it as user or manager.',
    response: ListsBody,
    dependsOn: ['graph'],
    cost: 'stream',
    lookup: streamLists,
  });
  const stats = about({
    path: 'stats',
    description: 'Current numbers, not as of the last ranking.',
    scope: 'both',
    response: Stats,
    dependsOn: ['graph'],
    lookup: readStats,
  });
  const simpleProfile = about({
    path: 'simple-profile',
    description: 'Name, avatar and current counts. Without a name, `display_name` is the address.',
    scope: 'both',
    response: SimpleProfileBody,
    dependsOn: ['graph', 'names'],
    lookup: lookups.simpleProfile,
  });
  const qr = about({
    path: 'qr',
    description: 'A QR code of the URL of the profile page, as a picture that scales.',
    response: SvgBody,
    format: 'svg',
    dependsOn: [],
    lookup: async (reader, ref) => renderSVG(await lookups.profileUrl(reader, ref), QR_CODE),
  });
  const ensAvatar = about({
    path: 'ens/avatar',
    description: 'Redirects to the avatar. Without one that has an http or https URL, 404.',
    response: AvatarLocation,
    format: 'redirect',
    dependsOn: ['names'],
    lookup: readAvatarUrl,
  });
  const badges = about({
    path: 'badges',
    description:
      'One entry per configured event, held or not. While the badge source is down, the last known answer is returned, and 503 if nothing is known yet.',
    response: BadgesBody,
    // What a source has is refreshed as time passes.
    dependsOn: lookups.sources.badges === 'none' ? ['badges'] : ['badges', 'clock'],
    lookup: lookups.badges,
  });
  return [
    account.ofUser('Profile of an account'),
    listAccount.ofList('Profile of the account of a list'),
    details.ofUser('Profile and ranks of an account'),
    details.ofList('Profile and ranks of the account of a list'),
    simpleProfile.ofUser('What fits on one line about an account'),
    qr.ofUser('QR code of the profile page of an account'),
    ens.ofUser('ENS profile of an account'),
    ensAvatar.ofUser('Avatar of an account'),
    primaryList.ofUser('Primary list of an account'),
    lists.ofUser('Lists that an account owns, uses or manages'),
    stats.ofUser('Current numbers of followers and of accounts followed'),
    stats.ofList('Current numbers of followers of the account, and of accounts that the list follows'),
    badges.ofUser('Badges of an account'),
    badges.ofList('Badges of the account of a list'),
    route({
      path: '/slots/:chain_id/:contract/:slot/details',
      summary: 'The list that is stored in a slot',
      description:
        'Several lists can point at one slot: the primary list of its user if it is one of them, else the smallest token id.',
      params: { chain_id: parameter.chainId, contract: parameter.contract, slot: parameter.slot },
      response: SlotDetailsBody,
      dependsOn: ['graph', 'names'],
      lookup: (reader, { chain_id, contract, slot }) => readSlotDetails(reader, slotKey(chain_id, contract, slot)),
    }),
    route({
      path: '/minters',
      summary: 'Accounts that have a list, newest list first',
      description:
        'Each account that a list belongs to, once, with the greatest token id of its lists, in the order of these.',
      query: { ...offsetPage(10), cursor: cursor(parseMinterKey) },
      response: MintersBody,
      dependsOn: ['graph', 'names'],
      cost: 'heavy',
      lookup: (reader, _, query) => readMinters(reader, query),
    }),
    route({
      path: '/lists/:token_id',
      summary: 'What a list is: its location, roles and minting, and whether it is a primary list',
      description:
        'A list is the primary list of the user of its slot, or `primary_list_fault` says why not. Of a list that was burned and minted again, the minting is the last one.',
      params: { token_id: parameter.tokenId },
      response: ListBody,
      dependsOn: ['graph'],
      lookup: (reader, { token_id }) => readList(reader, { kind: 'list', list: token_id }),
    }),
    route({
      path: '/accounts',
      summary: 'Name, avatar, counts and primary list of many accounts, and how a viewer relates to each',
      description: `${IN_ORDER}; null for what is no account. Counts are current.`,
      query: {
        viewer: parameter.optional(
          parameter.account('The account that `state` and `follower_state` are about', 'ada.eth'),
        ),
      },
      body: BATCH,
      response: AccountsBody,
      dependsOn: ['graph', 'names'],
      profilesIn: (accounts) => accounts.flatMap((account) => (account && isInGraph(account) ? [account.address] : [])),
      lookup: (reader, _, { viewer }, others) => readAccounts(reader, others, viewer),
    }),
  ];
}

/** Any address is an account: those that the graph does not have must not crowd out others. */
function isInGraph({ followers_count, following_count, primary_list }: BatchAccount): boolean {
  return followers_count + following_count > 0 || primary_list !== '';
}
