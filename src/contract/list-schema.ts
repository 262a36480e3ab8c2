import { type Static, Type } from '@sinclair/typebox';
import { address, addressOrEmpty, digits, isoTime, object, oneOf } from './schemas.ts';

/** Why a list is not the valid primary list of the user of its slot; empty if it is. */
const PRIMARY_LIST_FAULTS = [
  '',
  'no-storage-location',
  'slot-without-user',
  'no-primary-list',
  'other-primary-list',
] as const;

const StorageLocation = object('StorageLocation', 'Where the records of a list are.', {
  chain_id: digits('Id of the chain, like 8453 for Base, as text.'),
  contract: address('The list records contract, lower case.'),
  slot: digits('Number of the slot.'),
});

export const ListBody = object('List', 'What a list is.', {
  token_id: digits('Token id of the list.'),
  storage_location: Type.Union([StorageLocation, Type.Null()], { description: 'Null if the list has none.' }),
  owner: address('Owner of the token, lower case.'),
  manager: addressOrEmpty('The account that may change the records of the slot, or empty.'),
  user: addressOrEmpty('The account that the slot names as its user, or empty.'),
  minted_at: isoTime('When the list was minted.'),
  minted_to: address('The account that it was minted to, lower case.'),
  is_primary_list: Type.Boolean({ description: 'Whether it is the valid primary list of its user.' }),
  primary_list_fault: oneOf('Why it is not; empty if it is.', PRIMARY_LIST_FAULTS),
});
export type ListBody = Static<typeof ListBody>;
