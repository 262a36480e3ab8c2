import { HopsBody, PathBody } from '../../contract/graph-schemas.ts';
import { BatchStatesBody, FollowerStateBody, ListStateBody, RelationshipBody } from '../../contract/lookup-schemas.ts';
import { MAX_HOPS_ACCOUNTS, readHops, readPath } from '../../lookup/edges/paths.ts';
import {
  readButtonState,
  readButtonStates,
  readFollowerState,
  readListFollowerState,
  readRelationship,
} from '../../lookup/edges/states.ts';
import { account, accounts, list } from '../request/parameters.ts';
import { aboutPair, BATCH, IN_ORDER, type Route, route } from './route.ts';

export function stateRoutes(): Route[] {
  const follower = {
    path: 'followerState',
    description: 'At most one of the three is true, and none if there is no edge.',
    dependsOn: ['graph'],
  } as const;
  const ofUser = aboutPair({ ...follower, response: FollowerStateBody, lookup: readFollowerState });
  const ofList = aboutPair({ ...follower, response: ListStateBody, lookup: readListFollowerState });
  const button = aboutPair({
    path: 'buttonState',
    description: 'At most one of the three is true, and none if there is no record.',
    scope: 'slot',
    response: ListStateBody,
    dependsOn: ['graph'],
    lookup: readButtonState,
  });
  const relationship = aboutPair({
    path: 'relationship',
    description: 'The edges between the two, in both directions. Of each three fields at most one is true.',
    response: RelationshipBody,
    dependsOn: ['graph'],
    lookup: readRelationship,
  });
  return [
    ofUser.ofUser('Whether the second account follows, blocks or mutes the first'),
    ofList.ofList('Whether an account follows, blocks or mutes the account of a list'),
    button.ofUser('Whether the first account follows, blocks or mutes the second'),
    button.ofList('Whether a list follows, blocks or mutes an account'),
    relationship.ofUser('How two accounts relate'),
    route({
      path: '/lists/:token_id/buttonStateBatch',
      summary: 'Whether a list follows, blocks or mutes each of many accounts',
      description: `${IN_ORDER}.`,
      params: { token_id: list },
      body: BATCH,
      response: BatchStatesBody,
      dependsOn: ['graph'],
      lookup: (reader, { token_id }, _, others) => readButtonStates(reader, token_id, others),
    }),
    route({
      path: '/users/:addressOrENS/path/:addressOrENS2',
      summary: 'A shortest chain of follows from one account to another',
      description:
        'At most six follows. Among equals it is the path whose first step has most followers, then the second and so on, then by address. `isComplete` is false if the search ended early, because it would have read too many rows.',
      params: {
        addressOrENS: account('The account that the path begins at', 'ada.eth'),
        addressOrENS2: account('The account that it ends at', 'juniper.eth'),
      },
      response: PathBody,
      dependsOn: ['graph', 'names'],
      cost: 'heavy',
      lookup: (reader, { addressOrENS, addressOrENS2 }) =>
        readPath(reader, addressOrENS.account, addressOrENS2.account),
    }),
    route({
      ...HOPS,
      query: { accounts: accounts(HOPS_BODY.maxEntries, HOPS_BODY.example) },
      entriesIn: 'accounts',
      lookup: (reader, { addressOrENS }, _, others) => readHops(reader, addressOrENS.account, others),
    }),
    route({
      ...HOPS,
      body: { ...HOPS_BODY, hasGet: true },
      lookup: (reader, { addressOrENS }, _, others) => readHops(reader, addressOrENS.account, others),
    }),
  ];
}

const HOPS_BODY = { title: 'HopsAccounts', maxEntries: MAX_HOPS_ACCOUNTS, example: ['juniper.eth', 'unclaimed.eth'] };
const HOPS = {
  path: '/users/:addressOrENS/hops',
  summary: 'How many follows lead from an account to each of many accounts',
  description:
    'The number of follows of a shortest path, 3 at most: null beyond. There is an entry for each of the given accounts, in the same order.',
  params: { addressOrENS: account('The account that the steps begin at', 'ada.eth') },
  response: HopsBody,
  dependsOn: ['graph'],
  cost: 'heavy',
} as const;
