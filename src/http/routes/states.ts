import { FollowerStateBody } from '../../contract/lookup-schemas.ts';
import type { Lookups } from '../../lookup/lookups.ts';
import type { Route, RouteFactory } from '../route.ts';

export function stateRoutes({ states }: Lookups, { aboutPair }: RouteFactory): Route[] {
  const follower = aboutPair({
    path: 'followerState',
    description: 'At most one of the three is true, and none if there is no edge.',
    subject: 'account',
    lookup: states.followerState,
  });
  const button = aboutPair({
    path: 'buttonState',
    description: 'At most one of the three is true, and none if there is no record.',
    subject: 'slot',
    lookup: states.buttonState,
  });
  return [
    follower.ofUser('Whether the second account follows, blocks or mutes the first', FollowerStateBody),
    follower.ofList('Whether an account follows, blocks or mutes the account of a list'),
    button.ofUser('Whether the first account follows, blocks or mutes the second'),
    button.ofList('Whether a list follows, blocks or mutes an account'),
  ];
}
