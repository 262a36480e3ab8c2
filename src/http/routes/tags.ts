import { ListTagsBody, UserTagsBody } from '../../contract/lookup-schemas.ts';
import { readListTaggedAs, readListTags, readTaggedAs, readTags } from '../../lookup/edges/tags.ts';
import type { Route, RouteFactory } from './route.ts';

export function tagRoutes({ about }: RouteFactory): Route[] {
  const shared = { group: 'tags', query: {}, isHeavy: () => true } as const;
  const tags = {
    ...shared,
    path: 'tags',
    description: 'The tags of all records, by count and tag, and the tagged accounts. Not paged.',
    subject: 'slot',
  } as const;
  const taggedAs = {
    ...shared,
    path: 'taggedAs',
    description:
      'The tags that others put on the account when they follow, block or mute it, by count and tag. `taggedAddresses` has the accounts that put them. Not paged.',
    subject: 'account',
  } as const;
  const ofUser = { response: UserTagsBody };
  const ofList = { response: ListTagsBody };
  return [
    about({ ...tags, ...ofUser, lookup: readTags }).ofUser('Tags that an account puts on others'),
    about({ ...tags, ...ofList, lookup: readListTags }).ofList('Tags that a list puts on its records'),
    about({ ...taggedAs, ...ofUser, lookup: readTaggedAs }).ofUser('Tags that others put on an account'),
    about({ ...taggedAs, ...ofList, lookup: readListTaggedAs }).ofList('Tags that others put on the account of a list'),
  ];
}
