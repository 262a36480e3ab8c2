import { ListTagsBody, UserTagsBody } from '../../contract/lookup-schemas.ts';
import type { Lookups } from '../../lookup/lookups.ts';
import type { Route, RouteFactory } from '../route.ts';

export function tagRoutes(lookups: Lookups, { about }: RouteFactory): Route[] {
  const shared = { group: 'tags', query: {}, response: UserTagsBody, isHeavy: () => true } as const;
  const tags = about({
    ...shared,
    path: 'tags',
    description: 'The tags of all records, by count and tag, and the tagged accounts. Not paged.',
    subject: 'slot',
    lookup: lookups.tags,
  });
  const taggedAs = about({
    ...shared,
    path: 'taggedAs',
    description:
      'The tags that others put on the account when they follow, block or mute it, by count and tag. `taggedAddresses` has the accounts that put them. Not paged.',
    subject: 'account',
    lookup: lookups.taggedAs,
  });
  return [
    tags.ofUser('Tags that an account puts on others'),
    tags.ofList('Tags that a list puts on its records', ListTagsBody),
    taggedAs.ofUser('Tags that others put on an account'),
    taggedAs.ofList('Tags that others put on the account of a list', ListTagsBody),
  ];
}
