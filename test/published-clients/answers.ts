import type { Reads } from './reads.ts';

/** What clients read of the answers that several of them ask for. */
export const STATS = { followers_count: 'number', following_count: 'number' } as const satisfies Reads;
export const RANKS = {
  mutuals_rank: 'text',
  followers_rank: 'text',
  following_rank: 'text',
  blocks_rank: 'text',
} as const satisfies Reads;
export const ENS = { name: 'text', avatar: 'text', records: 'map of texts' } as const satisfies Reads;
export const ACCOUNT = { address: 'text', ens: ENS } as const satisfies Reads;
export const DETAILS = { ...ACCOUNT, ranks: RANKS, primary_list: 'text' } as const satisfies Reads;
export const LISTS = { primary_list: 'text', lists: ['text'] } as const satisfies Reads;
const RECORD = { version: 'number', record_type: 'text', data: 'text', tags: 'texts' } as const;
export const FOLLOWING = { following: [{ ...RECORD, address: 'text' }] } as const satisfies Reads;
export const FOLLOWING_ENS = { following: [{ ...RECORD, ens: ENS }] } as const satisfies Reads;
const FOLLOWER = {
  efp_list_nft_token_id: 'text',
  address: 'text',
  tags: 'texts',
  is_following: 'boolean',
  is_blocked: 'boolean',
  is_muted: 'boolean',
  updated_at: 'text',
} as const;
export const FOLLOWERS = { followers: [FOLLOWER] } as const satisfies Reads;
export const FOLLOWERS_ENS = { followers: [{ ...FOLLOWER, ens: ENS }] } as const satisfies Reads;
export const STATE = { state: { follow: 'boolean', block: 'boolean', mute: 'boolean' } } as const satisfies Reads;
export const BUTTON = { token_id: 'text', address: 'text', ...STATE } as const satisfies Reads;
export const FOLLOWER_STATE = { addressUser: 'text', addressFollower: 'text', ...STATE } as const satisfies Reads;
export const TAGS = {
  tags: ['text'],
  tagCounts: [{ tag: 'text', count: 'number' }],
  taggedAddresses: [{ address: 'text', tag: 'text' }],
} as const satisfies Reads;
export const CARD = { address: 'text', name: 'text', avatar: 'text', header: 'text' } as const;
export const COMMON = { results: [{ ...CARD, mutuals_rank: 'text' }], length: 'number' } as const satisfies Reads;
const TOP8 = { header: 'text', top8: 'text', top8_rank: 'text' } as const;
export const BOARD = {
  last_updated: 'text',
  results: [{ ...CARD, ...RANKS, ...TOP8, mutuals: 'text', followers: 'text', following: 'text', blocks: 'text' }],
} as const satisfies Reads;
export const NOTIFICATIONS = {
  summary: { interval: 'text', total: 'number' },
  notifications: [
    { address: 'text', name: 'text', avatar: 'text', action: 'text', opcode: 'number', updated_at: 'text' },
  ],
} as const satisfies Reads;
export const BADGES = { poaps: [{ eventId: 'text', participated: 'boolean' }] } as const satisfies Reads;
export const COUNTS = [{ rank: 'number', address: 'text', followers_count: 'text' }] as const satisfies Reads;
