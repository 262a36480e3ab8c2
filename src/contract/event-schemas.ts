import { type Static, type TProperties, Type } from '@sinclair/typebox';
import { address, addressOrEmpty, avatar, Ens, isoTime, name, object, oneOf, text, tokenId, total } from './schemas.ts';

/** The types of an event, by what their events have in common. */
export const EVENT_TYPES_OF = {
  follow: ['follow', 'unfollow'],
  tag: ['block', 'unblock', 'mute', 'unmute', 'tag', 'untag'],
  list: ['mint', 'transfer', 'burn'],
  location: ['location'],
  role: ['user', 'manager'],
  primary: ['primary'],
} as const;
export const EVENT_TYPES = Object.values(EVENT_TYPES_OF).flat();
export type EventType = (typeof EVENT_TYPES)[number];

const id = text('The position of the stream after this, for `since` and `Last-Event-ID`.');
const blockHash = Type.String({ description: 'Hash of the block.', pattern: '^0x[0-9a-f]{64}$' });
const EventSlot = object('EventSlot', 'A storage slot.', {
  chain_id: total('The chain of the contract.'),
  contract: address('The list records contract, lower case.'),
  slot: Type.String({ description: 'Number of the slot, decimal.', pattern: '^[0-9]+$' }),
});
export type EventSlot = Static<typeof EventSlot>;

/** What all events have. Chain, hash of the block and log index identify an event in every stream. */
const eventOf = <T extends TProperties>(title: string, description: string, types: readonly EventType[], own: T) =>
  object(title, description, {
    id,
    type: oneOf('What the log did.', types),
    chain_id: total('The chain of the log.'),
    block: total('Number of the block.'),
    block_hash: blockHash,
    log_index: total('Index of the log in the block.'),
    time: isoTime('Time of the block.'),
    account: addressOrEmpty('The account that did it, or empty.'),
    name,
    avatar,
    ens: Type.Optional(Ens),
    ...own,
  });

const listOp = {
  list: tokenId,
  is_primary: Type.Boolean({ description: 'Whether the list is a valid primary list now.' }),
  slot: EventSlot,
  target: address('The account that the op names, lower case.'),
  opcode: Type.Integer({ description: '1 to 4.', minimum: 1, maximum: 4 }),
  op: text('The bytes of the op, in hex.'),
};

const SCHEMAS = [
  eventOf('FollowEvent', 'A list op that adds or removes a record.', EVENT_TYPES_OF.follow, listOp),
  eventOf('TagEvent', 'A list op that adds or removes a tag.', EVENT_TYPES_OF.tag, {
    ...listOp,
    tag: text('The tag.'),
  }),
  eventOf(
    'ListEvent',
    'A transfer of a list. `account` is the new owner, of a burn the former one.',
    EVENT_TYPES_OF.list,
    {
      list: tokenId,
      from: address('The former owner, or the zero address.'),
    },
  ),
  eventOf('LocationEvent', 'A list has a new storage location. `account` is its owner.', EVENT_TYPES_OF.location, {
    list: tokenId,
    slot: Type.Union([EventSlot, Type.Null()], { description: 'Null if the location was cleared.' }),
  }),
  eventOf('RoleEvent', 'A slot has another user or manager: `account`, empty if cleared.', EVENT_TYPES_OF.role, {
    list: tokenId,
    slot: EventSlot,
  }),
  eventOf('PrimaryEvent', 'An account names another primary list, or none.', EVENT_TYPES_OF.primary, { list: tokenId }),
] as const;

export const UndoEvent = object(
  'UndoEvent',
  'All events of this chain above this block are void: a reorg has removed them. What replaces them follows.',
  {
    type: oneOf('The type.', ['undo'] as const),
    chain_id: total('The chain.'),
    block: total('The last block whose events are still valid.'),
    block_hash: text('Its hash; empty if no event of the chain is left.'),
    id,
  },
);
export type UndoEvent = Static<typeof UndoEvent>;

export const ProgressEvent = object('ProgressEvent', 'How far the stream is. NDJSON only.', {
  type: oneOf('The type.', ['progress'] as const),
  id,
  sent: total('How many events this stream has sent.'),
});

export const StreamEvent = Type.Union([...SCHEMAS, UndoEvent], { description: 'An event, or an undo.' });
type Schema = (typeof SCHEMAS)[number];
export type ChainEvent = Static<Schema>;

export const EventsPage = object('EventsPage', 'A page of events.', {
  events: Type.Array(StreamEvent, { description: 'The events, in the order of the stream.' }),
  id: text('The position after the page. With it as `since`, a later request or a stream goes on.'),
});
