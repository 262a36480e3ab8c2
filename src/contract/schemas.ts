import { type Static, type TProperties, Type } from '@sinclair/typebox';

/**
 * Schemas of the responses. Stored entries are serialised from them too. A schema with a title is a named schema of the
 * OpenAPI document.
 */
export const object = <T extends TProperties>(properties: T, title?: string) =>
  Type.Object(properties, { ...(title === undefined ? {} : { title }), additionalProperties: false });

export const text = (description: string) => Type.String({ description });
export const address = (description = 'Account address, lower-case.') => text(description);
export const isoTime = (description: string) => Type.String({ description, format: 'date-time' });
export const oneOf = <T extends string>(description: string, values: readonly T[]) =>
  Type.Unsafe<T>({ type: 'string', enum: values, description });
export const count = (description: string) => text(`${description}, an integer as text.`);
/** Not Type.Record: its key pattern does not match keys with line breaks. */
const texts = (description: string) =>
  Type.Unsafe<Record<string, string>>({ type: 'object', additionalProperties: { type: 'string' }, description });
export const name = text('Name-service name, or empty.');
export const avatar = text('URL, or empty.');

const rank = (of: string) => count(`Leaderboard rank by ${of}, 0 outside the leaderboard`);

export const Ens = object(
  {
    name,
    avatar,
    header: text('URL, or empty.'),
    display: text('Display name: the name, else the shortened address.'),
    records: texts('Text records by key; avatar, description, header and name are always there.'),
    chains: texts('Addresses by chain key.'),
    fresh: Type.Number({ description: 'When the profile was fetched, Unix milliseconds; 0 if never.' }),
    resolver: text('Address of the resolver, or empty.'),
    errors: texts('Empty when there are none.'),
  },
  'Ens',
);
export type Ens = Static<typeof Ens>;

export const Ranks = object(
  {
    mutuals_rank: rank('mutuals'),
    followers_rank: rank('followers'),
    following_rank: rank('following'),
    top8_rank: rank('followers who tagged it top8'),
    blocks_rank: rank('blocks received'),
  },
  'Ranks',
);

export const AccountDetails = object(
  {
    address: address(),
    ens: Ens,
    ranks: Ranks,
    primary_list: text('Number of the primary list, or empty.'),
  },
  'AccountDetails',
);
export type AccountDetails = Static<typeof AccountDetails>;

export const Collection = object(
  {
    event: object({
      id: Type.Number(),
      fancy_id: Type.String(),
      name: Type.String(),
      event_url: Type.String(),
      image_url: Type.String(),
      country: Type.String(),
      city: Type.String(),
      description: Type.String(),
      year: Type.Number(),
      start_date: text('DD-Mon-YYYY'),
      end_date: text('DD-Mon-YYYY'),
      expiry_date: text('DD-Mon-YYYY'),
    }),
    tokenId: text('Token of the held badge.'),
    owner: address('Owner of the token, lower-case.'),
  },
  'Collection',
);
export type Collection = Static<typeof Collection>;

export const BadgeEntry = object(
  {
    eventId: Type.String(),
    participated: Type.Boolean({ description: 'Whether the account holds the badge.' }),
    collection: Type.Union([Collection, Type.Null()], { description: 'Null when the badge is not held.' }),
  },
  'BadgeEntry',
);

export const LeaderboardEntry = object(
  {
    address: address(),
    name,
    avatar,
    mutuals_rank: rank('mutuals'),
    followers_rank: rank('followers'),
    following_rank: rank('following'),
    blocks_rank: rank('blocks received'),
    mutuals: count('Accounts that follow and are followed'),
    following: count('Accounts followed'),
    followers: count('Followers'),
    blocks: count('Accounts that block this one'),
    updated_at: isoTime('Time of the ranking.'),
  },
  'LeaderboardEntry',
);
export type LeaderboardEntry = Static<typeof LeaderboardEntry>;

export const Notification = object(
  {
    address: address('The account that acted, lower-case.'),
    name,
    avatar,
    token_id: text('Number of the list of the acting account.'),
    action: oneOf('What it did.', ['follow', 'unfollow', 'tag', 'untag']),
    opcode: Type.Number({ description: '1 follow, 2 unfollow, 3 tag, 4 untag.' }),
    op: text('The raw operation, hex.'),
    tag: text('The tag, or empty.'),
    updated_at: isoTime('Time of the block.'),
  },
  'Notification',
);
export type Notification = Static<typeof Notification>;

export const NotificationSummary = object(
  {
    interval: text('Length of the window, like 168:00:00(hrs).'),
    opcode: text('The requested opcode, or all.'),
    total: Type.Number({ description: 'Notifications on this page.' }),
    total_follows: Type.Number(),
    total_unfollows: Type.Number(),
    total_tags: Type.Number(),
    total_untags: Type.Number(),
  },
  'NotificationSummary',
);
export type NotificationSummary = Static<typeof NotificationSummary>;

export const Follower = object({
  svc_list_nft_token_id: text('Number of the list of the follower.'),
  address: address('The follower, lower-case.'),
  tags: Type.Array(Type.String(), { description: 'What the follower tagged the account with, sorted.' }),
  is_following: Type.Boolean({ description: 'Whether the account follows the follower.' }),
  is_blocked: Type.Boolean({ description: 'Whether the account blocks the follower.' }),
  is_muted: Type.Boolean({ description: 'Whether the account mutes the follower.' }),
  updated_at: isoTime('When the follower last changed this edge.'),
});
export type Follower = Static<typeof Follower>;

export const BadgesBody = object({ poaps: Type.Array(BadgeEntry) }, 'Badges');
export const FollowersBody = object({ followers: Type.Array(Follower) });
export const LeaderboardBody = object(
  {
    last_updated: isoTime('Time of the ranking.'),
    results: Type.Array(LeaderboardEntry),
  },
  'Leaderboard',
);
export const NotificationsBody = object(
  {
    summary: NotificationSummary,
    notifications: Type.Array(Notification),
  },
  'Notifications',
);

/** RFC 9457. */
export const Problem = object(
  {
    type: text('URI of the problem type.'),
    title: Type.String(),
    status: Type.Integer(),
    detail: text('What was wrong, for a person.'),
    code: text('Stable error code.'),
  },
  'Problem',
);
