import { ListBody } from '../../contract/list-schema.ts';
import { readList } from '../../lookup/accounts/list.ts';
import * as parameter from '../parameters.ts';
import { type Route, route } from './route.ts';

export function listRoutes(): Route[] {
  return [
    route({
      path: '/lists/:token_id',
      summary: 'What a list is: its location, roles and minting, and whether it is a primary list',
      description:
        'A list is the primary list of the user of its slot, or `primary_list_fault` says why not. Of a list that was burned and minted again, the minting is the last one.',
      group: 'accounts',
      params: { token_id: parameter.list },
      query: {},
      response: ListBody,
      lookup: (reader, { token_id }) => readList(reader, { kind: 'list', list: token_id }),
    }),
  ];
}
