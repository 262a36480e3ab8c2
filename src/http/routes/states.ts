import { BatchStatesBody, FollowerStateBody, ListStateBody, RelationshipBody } from '../../contract/lookup-schemas.ts';
import {
  readButtonState,
  readButtonStates,
  readFollowerState,
  readListFollowerState,
  readRelationship,
} from '../../lookup/edges/states.ts';
import { list } from '../request/parameters.ts';
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
  ];
}
