import { ListTagsBody, UserTagsBody } from '../../contract/lookup-schemas.ts';
import { streamTags } from '../../lookup/edges/records.ts';
import type { AccountRef, ListRef } from '../../lookup/refs/account-ref.ts';
import { about, type Route } from './route.ts';

export function tagRoutes(): Route[] {
  const described = {
    tags: {
      path: 'tags',
      description: 'The tags of all records, by count and tag, and the tagged accounts. Not paged.',
      scope: 'slot',
    },
    taggedAs: {
      path: 'taggedAs',
      description:
        'The tags that others put on the account when they follow, block or mute it, by count and tag. `taggedAddresses` has the accounts that put them. Not paged.',
    },
  } as const;
  const ofUser = (tagging: keyof typeof described) =>
    about({
      ...described[tagging],
      response: UserTagsBody,
      dependsOn: ['graph'],
      cost: 'stream',
      lookup: (reader, ref: AccountRef) =>
        streamTags(reader, tagging, ref, ({ ref_address }) => ({ address: ref_address })),
    }).ofUser;
  const ofList = (tagging: keyof typeof described) =>
    about({
      ...described[tagging],
      response: ListTagsBody,
      dependsOn: ['graph'],
      cost: 'stream',
      lookup: (reader, ref: ListRef) => streamTags(reader, tagging, ref, () => ({ token_id: ref.list })),
    }).ofList;
  return [
    ofUser('tags')('Tags that an account puts on others'),
    ofList('tags')('Tags that a list puts on its records'),
    ofUser('taggedAs')('Tags that others put on an account'),
    ofList('taggedAs')('Tags that others put on the account of a list'),
  ];
}
