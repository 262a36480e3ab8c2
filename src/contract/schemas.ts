import { type Static, type TObject, type TProperties, Type } from '@sinclair/typebox';

/**
 * Schemas of the responses. The title is the name of the schema in the
 * OpenAPI document.
 */
export const object = <T extends TProperties>(title: string, description: string, properties: T) =>
  Type.Object(properties, { title, description, additionalProperties: false });

/** The tags of one record have no bound, and a page shows many records. */
export const MAX_SHOWN_TAGS = 100;

export const text = (description: string) => Type.String({ description });
export const address = (description = 'Account address, lower case.') =>
  Type.String({ description, pattern: '^0x[0-9a-f]{40}$' });
export const addressOrEmpty = (description: string) => Type.String({ description, pattern: '^(0x[0-9a-f]{40})?$' });
export const isoTime = (description: string) => Type.String({ description, format: 'date-time' });
export const oneOf = <T extends string>(description: string, values: readonly T[]) =>
  Type.Unsafe<T>({ type: 'string', enum: values, description });
export const digits = (description: string) => Type.String({ description, pattern: '^[0-9]+$' });
const digitsOrEmpty = (description: string) => Type.String({ description, pattern: '^[0-9]*$' });
export const count = (description: string) => digits(`${description}, an integer as text.`);
export const total = (description: string) => Type.Integer({ description, minimum: 0 });
export const tagList = (description: string) => Type.Array(Type.String(), { description });
/** The tags that an entry of a page shows. */
export const shownTags = (description: string) => ({
  tags: tagList(`${description}, sorted by code point. An entry of a page shows at most ${MAX_SHOWN_TAGS}.`),
  more_tags: Type.Optional(Type.Integer({ description: 'How many more tags there are; absent if none.', minimum: 1 })),
});
/** Not Type.Record: its key pattern does not match keys with line breaks. */
const texts = (description: string) =>
  Type.Unsafe<Record<string, string>>({ type: 'object', additionalProperties: { type: 'string' }, description });
export const name = text('ENS name, or empty.');
export const avatar = text('URL of the avatar, or empty.');
export const header = text('URL of the header image, or empty.');
export const primaryList = digitsOrEmpty('Token id of the primary list; empty unless the account has a valid one.');
export const tokenId = digitsOrEmpty('Token id of the list, or empty.');

const rank = (of: string) => count(`Leaderboard rank by ${of}, 0 outside the leaderboard`);

/** A profile as it is stored. */
export const StoredEns = object('StoredEns', 'The ENS profile of an account.', {
  name,
  avatar,
  header,
  display: text('The name, in the letter case that its holder prefers, or else the shortened address.'),
  records: texts('Text records by key; `avatar`, `description`, `header` and `name` are always there.'),
  chains: texts('Addresses by the name of the chain.'),
  fresh: Type.Integer({
    description: 'When the profile was fetched, in Unix milliseconds; 0 if never.',
    format: 'int64',
  }),
  resolver: text('Address of the resolver, or empty.'),
  errors: texts(
    'Why records could not be refreshed and keep their last value, or were left out because they are too long.',
  ),
});
export type StoredEns = Static<typeof StoredEns>;
export const Ens = object('Ens', 'The ENS profile of an account.', {
  ...StoredEns.properties,
  updated_at: text('`fresh` as ISO 8601; empty if never.'),
});
export type Ens = Static<typeof Ens>;
/** Marks the schema of JSON that is written into an answer as it is. */
export const SPLICED = Symbol('spliced');
/** JSON between two characters that no JSON has. */
export type Spliced = string & { readonly brand: 'Spliced' };
export const SPLICE = '\u0001';
export const splice = (json: string) => `${SPLICE}${json}${SPLICE}` as Spliced;
/** A value that is stored as JSON, which need not be parsed and written again. It is documented by its schema. */
export const spliced = (schema: TObject) => Type.Unsafe<Spliced>({ ...schema, [SPLICED]: true });
export const SplicedEns = spliced(Ens);

export const Ranks = object('Ranks', 'Positions of an account on the leaderboard, as of the last ranking.', {
  mutuals_rank: rank('mutuals'),
  followers_rank: rank('followers'),
  following_rank: rank('accounts followed'),
  top8_rank: rank('followers who tagged it `top8`'),
  blocks_rank: rank('blocks received'),
});

export const Stats = object('Stats', 'Current counts of an account.', {
  followers_count: total('Followers.'),
  following_count: total('Accounts followed.'),
});
export type Stats = Static<typeof Stats>;

export const AccountDetails = object('AccountDetails', 'Profile, ranks, primary list and counts of an account.', {
  address: address(),
  ens: SplicedEns,
  ranks: Ranks,
  primary_list: primaryList,
  ...Stats.properties,
});
export type AccountDetails = Static<typeof AccountDetails>;

const BadgeEvent = object('BadgeEvent', 'The event that a badge is from.', {
  id: total('Number of the event.'),
  fancy_id: text('Identifier of the event in URLs.'),
  name: text('Name of the event.'),
  event_url: text('URL of the event, or empty.'),
  image_url: text('URL of the picture of the badge, or empty.'),
  country: text('Country, or empty.'),
  city: text('City, or empty.'),
  description: text('What the event was.'),
  year: total('Year of the event.'),
  start_date: text('First day, DD-Mon-YYYY.'),
  end_date: text('Last day, DD-Mon-YYYY.'),
  expiry_date: text('Last day on which the badge could be claimed, DD-Mon-YYYY.'),
});

export const Collection = object('Collection', 'A badge that an account holds.', {
  event: BadgeEvent,
  tokenId: digits('Token id of the badge.'),
  owner: address('Owner of the token, lower case.'),
});
export type Collection = Static<typeof Collection>;

const BadgeEntry = object('BadgeEntry', 'Whether an account holds the badge of one event.', {
  eventId: text('Number of the event.'),
  participated: Type.Boolean({ description: 'Whether the account holds the badge.' }),
  collection: Type.Union([Collection, Type.Null()], { description: 'The badge; null if it is not held.' }),
});

export const LeaderboardEntry = object('LeaderboardEntry', 'A member of the leaderboard, as of the last ranking.', {
  address: address(),
  name,
  avatar,
  mutuals_rank: rank('mutuals'),
  followers_rank: rank('followers'),
  following_rank: rank('accounts followed'),
  blocks_rank: rank('blocks received'),
  mutuals: count('Accounts that follow and are followed'),
  following: count('Accounts followed'),
  followers: count('Followers'),
  blocks: count('Accounts that block this one'),
  updated_at: isoTime('Time of the ranking.'),
  header,
  top8: count('Followers who tagged the account `top8`'),
  top8_rank: Ranks.properties.top8_rank,
  guess: Type.Optional(
    Type.Literal(true, { description: 'In a search with `guess`: the name is similar to the term.' }),
  ),
});
export type LeaderboardEntry = Static<typeof LeaderboardEntry>;

export const Notification = object('Notification', 'What another account did to the account.', {
  address: address('The account that acted, lower case.'),
  name,
  avatar,
  token_id: digits('Token id of the list of the account that acted.'),
  action: oneOf('What it did.', ['follow', 'unfollow', 'tag', 'untag']),
  opcode: Type.Integer({ description: '1 follow, 2 unfollow, 3 tag, 4 untag.', minimum: 1, maximum: 4 }),
  op: Type.String({ description: 'The raw list operation, hexadecimal.', pattern: '^0x([0-9a-f]{2})+$' }),
  tag: text('The tag; empty for a follow or an unfollow.'),
  updated_at: isoTime('Time of the block.'),
});
export type Notification = Static<typeof Notification>;

const ListOp = object('ListOp', 'What an account did to another one.', {
  ...Notification.properties,
  address: address('The account that it was done to, lower case.'),
  token_id: digits('Token id of the list of the account that acted.'),
});

export const NotificationSummary = object('NotificationSummary', 'The request, and counts of the returned page.', {
  interval: text('Length of the interval in hours, like `168:00:00(hrs)`; 999 for `all`.'),
  opcode: oneOf<string>('The requested opcode, or `all`.', ['all', '1', '2', '3', '4']),
  total: total('Entries on this page.'),
  total_follows: total('Follows on this page.'),
  total_unfollows: total('Unfollows on this page.'),
  total_tags: total('Tags on this page.'),
  total_untags: total('Untags on this page.'),
});
export type NotificationSummary = Static<typeof NotificationSummary>;

export const BadgesBody = object('Badges', 'The event badges of an account.', {
  poaps: Type.Array(BadgeEntry, { description: 'One entry per event, in the order of the setting `BADGE_EVENTS`.' }),
});
export type BadgesBody = Static<typeof BadgesBody>;
export const LeaderboardBody = object('Leaderboard', 'A page of the leaderboard.', {
  last_updated: isoTime('Time of the last ranking.'),
  results: Type.Array(LeaderboardEntry, { description: 'The members on this page.' }),
});
export type LeaderboardBody = Static<typeof LeaderboardBody>;
export const NotificationsBody = object('Notifications', 'A page of notifications.', {
  summary: NotificationSummary,
  notifications: Type.Array(Notification, { description: 'The notifications on this page, newest first.' }),
});
export type NotificationsBody = Static<typeof NotificationsBody>;

export const ActivityBody = object('Activity', 'A page of what an account did.', {
  summary: NotificationSummary,
  activity: Type.Array(ListOp, { description: 'The list operations on this page, newest first.' }),
});
export type ActivityBody = Static<typeof ActivityBody>;

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

const IndexedUpTo = object('IndexedUpTo', 'How far a chain is indexed.', {
  chain_id: total('Id of the chain, like 8453 for Base.'),
  block: Type.Union([total('The last block that is indexed.'), Type.Null()], {
    description: 'The last block that is indexed; null if none is.',
  }),
});

export const Problem = object('Problem', 'Why a request failed (RFC 9457).', {
  type: text('URI of the problem, which contains the code.'),
  title: text('The problem in a few words.'),
  status: Type.Integer({ description: 'The HTTP status.', minimum: 400, maximum: 599 }),
  detail: text('What was wrong, for people; it may change.'),
  code: text('The stable code of the problem.'),
  indexed: Type.Optional(Type.Array(IndexedUpTo, { description: 'Only of `not-indexed-yet`: the chains of `after`.' })),
  requestId: Type.Optional(text('Only if the log of the server has the cause: the id of the request there.')),
});
