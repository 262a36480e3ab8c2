import {
  ACCOUNT,
  BADGES,
  BOARD,
  BUTTON,
  CARD,
  COMMON,
  COUNTS,
  DETAILS,
  ENS,
  FOLLOWER_STATE,
  FOLLOWERS,
  FOLLOWERS_ENS,
  FOLLOWING,
  FOLLOWING_ENS,
  LISTS,
  NOTIFICATIONS,
  RANKS,
  STATE,
  STATS,
  TAGS,
} from './answers.ts';
import type { Reads } from './reads.ts';

/** A client of the public API, as its published source is. */
interface Client {
  readonly client: string;
  readonly language: string;
  /** Repository, or file in it, if known. */
  readonly source?: string;
  readonly outcome: 'works' | 'partly' | 'as in production';
  readonly headers?: Readonly<Record<string, string>>;
  /** How often it sends each request in a row. */
  readonly times?: number;
  /** What it reads of the answer to each request, or the status that it handles. */
  readonly requests: Readonly<Record<string, Reads | 400 | 404>>;
}

/**
 * Accounts: `:address` in lower case, `:checksum` in mixed case and `:name` are the same account, with the list `:list`.
 * `:other` is an account that it knows, `:nobody` one without name and list.
 */
export const CLIENTS: readonly Client[] = [
  {
    ...{ client: "the protocol's web app, 2026", language: 'TypeScript', outcome: 'partly' },
    source: 'ethereumfollowprotocol/app',
    headers: { 'content-type': 'application/json' },
    requests: {
      '/users/:name/account': ACCOUNT,
      '/lists/:list/account': { ...ACCOUNT, is_primary_list: 'boolean', primary_list: 'text' },
      '/users/:checksum/lists?cache=fresh': LISTS,
      '/users/:name/details': DETAILS,
      '/lists/:list/details': DETAILS,
      '/users/:name/stats': STATS,
      '/lists/:list/stats': STATS,
      '/users/:name/followers?limit=20&tags=&sort=latest': FOLLOWERS,
      '/lists/:list/following?limit=20&tags=&sort=earliest': FOLLOWING,
      '/users/:name/following?include=ens&limit=8&tags=top8': FOLLOWING_ENS,
      '/users/:name/allFollowers?limit=20&tags=top8': FOLLOWERS,
      '/lists/:list/allFollowing?limit=20&tags=block,mute': FOLLOWING,
      '/users/:name/searchFollowers?term=a&limit=20': FOLLOWERS_ENS,
      '/lists/:list/searchFollowing?term=a&limit=20': FOLLOWING_ENS,
      '/users/:name/latestFollowers?limit=10': FOLLOWERS,
      '/lists/:list/tags': TAGS,
      '/users/:name/taggedAs': TAGS,
      '/lists/:list/allFollowingAddresses': ['text'],
      '/users/:name/commonFollowers?leader=:other': COMMON,
      '/users/:name/recommended?limit=10&seed=:address': { recommended: [CARD] },
      '/lists/:list/recommended/details?limit=10': { recommended: [{ ...ACCOUNT, stats: STATS, ranks: RANKS }] },
      '/discover?limit=10': { latestFollows: [{ ...CARD, followers: 'text', following: 'text' }] },
      '/users/:name/badges': BADGES,
      '/users/:checksum/notifications?limit=1000&interval=month': NOTIFICATIONS,
      '/stats': { stats: { address_count: 'text', list_count: 'text', list_op_count: 'text', user_count: 'text' } },
      '/exportState/:list': FOLLOWING,
      '/leaderboard/ranked?limit=100&sort=top8&direction=DESC': BOARD,
      '/leaderboard/search?term=a': BOARD,
      '/users/:checksum/qr': 'SVG',
      '/users/:checksum/poap': 404,
    },
  },
  {
    ...{ client: "the protocol's web app, 2024", language: 'TypeScript', outcome: 'works' },
    source: 'ethereumfollowprotocol/app',
    requests: {
      '/leaderboard/count': { leaderboardCount: 'text' },
      '/leaderboard/followers?limit=50&offset=50': COUNTS,
      '/users/:name/following?include=ens&include=mutuals': FOLLOWING_ENS,
    },
  },
  {
    ...{ client: "the protocol's MCP server", language: 'TypeScript', outcome: 'partly' },
    source: 'ethereumfollowprotocol/ethid-mcp',
    requests: {
      '/users/:name/account': ACCOUNT,
      '/users/:name/lists': LISTS,
      '/users/:name/badges': BADGES,
      '/users/:name/stats': STATS,
      '/users/:name/followers?limit=10&sort=Latest': FOLLOWERS,
      '/users/:name/following?limit=10&tags=top8': FOLLOWING,
      '/users/:name/searchFollowers?term=a&sort=followers': FOLLOWERS_ENS,
      '/users/:name/searchFollowing?term=a&tags=': FOLLOWING_ENS,
      '/users/:name/notifications?interval=Month': NOTIFICATIONS,
      '/leaderboard/ranked?sort=followers&direction=DESC': BOARD,
      '/leaderboard/ranked?sort=Mutuals&direction=Asc': BOARD,
      '/leaderboard/search?term=a&direction=DESC': BOARD,
      '/users/:name/:other/followerState': FOLLOWER_STATE,
      '/users/:name/:other/buttonState': BUTTON,
      '/exportState/:list': FOLLOWING,
      '/users/:name/tags': TAGS,
      '/users/:name/account?list=:list': ACCOUNT,
      '/users/:name/lists?fresh=true': LISTS,
      '/users/:name/badges?list=:list&cache=fresh': BADGES,
      '/users/:name/tags?list=:list&cache=fresh': TAGS,
      '/users/:name/followers?limit=10&sort=undefined': FOLLOWERS,
      '/users/:name/recommended?list=:list&limit=5&pageParam=1': { recommended: [CARD] },
      '/leaderboard/ranked?limit=20&sort=blocked&direction=desc&term=undefined': BOARD,
      '/lists/:list/:other/buttonState': BUTTON,
      '/users/:name/notifications?interval=7d': 400,
      '/leaderboard/ranked?limit=20&sort=followers&direction=descending': 400,
      '/users/:name/followerTags': 404,
      '/discover/recommended': 404,
      '/discover/discover': 404,
    },
  },
  {
    ...{ client: 'follow-bot', language: 'TypeScript', outcome: 'partly' },
    source: 'ethereumfollowprotocol/follow-bot src/cmd.ts',
    requests: {
      '/users/:name/details': DETAILS,
      '/users/:nobody/details': { ens: { name: 'empty text', avatar: 'empty text' } },
      '/users/:name/stats': STATS,
    },
  },
  {
    ...{ client: 'status-go', language: 'Go', outcome: 'works' },
    source: 'status-im/status-go services/wallet/thirdparty/efp/client.go',
    requests: {
      '/users/:checksum/following?include=ens&limit=100&offset=0&sort=followers': FOLLOWING_ENS,
      '/users/:checksum/following?include=ens&limit=20&offset=20&sort=followers': FOLLOWING_ENS,
      '/users/:checksum/searchFollowing?include=ens&limit=20&offset=0&sort=followers&term=a': FOLLOWING_ENS,
      '/users/:checksum/stats': STATS,
    },
  },
  {
    ...{ client: 'status-mobile', language: 'ClojureScript', outcome: 'works' },
    source: 'caveman-eth/status-mobile src/status_im/contexts/efp_friends/effects.cljs',
    requests: {
      '/users/:checksum/following?limit=100&offset=0&sort=latest&cache=fresh': {
        following: [{ record_type: 'text', data: 'text' }],
      },
    },
  },
  {
    ...{ client: 'pirate-android', language: 'Kotlin', outcome: 'works', times: 40 },
    source: 'technohippi3/pirate-android',
    requests: {
      '/users/:address/followers?limit=50&offset=0&cache=fresh': {
        followers: [{ address: 'text', updated_at: 'text' }],
      },
      '/users/:address/following?limit=50&offset=0&cache=fresh': {
        following: [{ address: 'text', updated_at: 'text' }],
      },
      '/users/:address/stats?live=true&cache=fresh': STATS,
      '/users/:address/:other/buttonState?cache=fresh': STATE,
      '/users/:address/lists?cache=fresh': LISTS,
      '/users/:nobody/lists?cache=fresh': { primary_list: 'empty text', lists: [] },
    },
  },
  {
    ...{ client: "Pirate's web backend", language: 'TypeScript', outcome: 'works' },
    requests: {
      '/users/:address/:other/relationship': {
        state: { is_following: 'boolean', is_followed_by: 'boolean', is_blocked: 'boolean', is_muted: 'boolean' },
      },
      '/users/:address/stats?live=true': STATS,
      '/lists/:list/stats': STATS,
      '/lists/:list/following?limit=1': FOLLOWING,
      '/leaderboard/ranked?limit=25': BOARD,
    },
  },
  {
    ...{ client: 'siwe-django', language: 'Python', outcome: 'works' },
    source: 'Quantumlyy/siwe-django src/siwe_django/ethid.py',
    requests: {
      '/users/:checksum/simple-profile': {
        address: 'text',
        display_name: 'text',
        avatar: 'text',
        url: 'text',
        ...STATS,
      },
      '/users/:name/simple-profile?cache=fresh': { display_name: 'text', url: 'text', ...STATS },
      '/users/:checksum/details': ACCOUNT,
      '/users/:checksum/ens': { ens: { ...ENS, address: 'text' } },
      '/users/:checksum/stats': STATS,
      '/users/:checksum/followers': FOLLOWERS,
      '/users/:checksum/following': FOLLOWING,
      '/users/:checksum/tags': TAGS,
      '/leaderboard/count': { leaderboardCount: 'text' },
      '/users/:checksum/follower-state/:other': 404,
    },
  },
  {
    ...{ client: 'EFP_X_bot', language: 'Python', outcome: 'partly' },
    source: 'prabhchintan/EFP_X_bot',
    requests: {
      '/users/:address/details': DETAILS,
      '/users/:nobody/details': { primary_list: 'empty text' },
      '/users/:address/stats': STATS,
      '/users/:address/ens': { ens: ENS },
      '/users/:address/account': ACCOUNT,
      '/users/:address/followers?limit=100&offset=0': FOLLOWERS,
      '/users/:address/followers?limit=100&offset=1000': { followers: [] },
      '/users/:address/following?limit=100&offset=0': FOLLOWING,
      '/users/:address/tags': TAGS,
      '/lists/:list/stats': STATS,
      '/lists/:list/allFollowingAddresses': ['text'],
      '/lists/:list/:other/buttonState': STATE,
      '/leaderboard/followers?limit=5': COUNTS,
    },
  },
  {
    ...{ client: 'a helper for tags', language: 'Python', outcome: 'works' },
    requests: {
      '/users/:name/following': FOLLOWING,
      '/users/:name/tags': TAGS,
      '/users/:nobody/tags': { tags: [], tagCounts: [], taggedAddresses: [] },
      '/users/:name/ens': { ens: ENS },
    },
  },
  {
    ...{ client: 'a checker of quests', language: 'Python', outcome: 'works' },
    requests: { '/users/:checksum/followers': { followers: [{ address: 'text' }] } },
  },
  {
    ...{ client: 'efp-atlas', language: 'TypeScript', outcome: 'works' },
    source: 'harshrjjpt/efp-atlas lib/efp.ts',
    requests: {
      '/users/:address/followers?limit=80&offset=0': { followers: [{ address: 'text' }] },
      '/users/:address/following?limit=80&offset=0': { following: [{ address: 'text' }] },
      '/users/:address/stats': STATS,
      '/users/:address/ens': { ens: ENS, name: 'absent' },
      '/leaderboard/followers?limit=80&offset=0': COUNTS,
      '/leaderboard/followers?limit=80&offset=80': COUNTS,
    },
  },
  {
    ...{ client: 'an EFP crawler', language: 'TypeScript', outcome: 'works' },
    requests: {
      '/leaderboard/ranked?limit=1000&sort=followers': BOARD,
      '/leaderboard/ranked?limit=5000&sort=followers': BOARD,
      '/users/:address/stats': STATS,
      '/users/:address/ens': { ens: ENS },
      '/users/:address/followers?limit=100&offset=0&sort=latest': FOLLOWERS,
      '/users/:address/following?limit=100&offset=0&sort=latest': FOLLOWING,
    },
  },
  {
    ...{ client: 'grailsmarket', language: 'TypeScript', outcome: 'works' },
    source: 'grailsmarket/backend services/api/src/services/efp.ts',
    requests: {
      '/users/:address/following?limit=1000&offset=0': FOLLOWING,
      '/users/:address/following?limit=100&offset=0': FOLLOWING,
      '/users/:address/following?limit=100&offset=700': { following: [] },
    },
  },
  {
    ...{ client: 'curia host-service', language: 'TypeScript', outcome: 'works' },
    source: 'curia-network/host-service src/lib/friends/EfpFriendsService.ts',
    requests: {
      '/users/:checksum/following?limit=1000&offset=0': FOLLOWING,
      '/users/:checksum/following?limit=1000&offset=1000': { following: [] },
    },
  },
  {
    ...{ client: 'curia', language: 'TypeScript', outcome: 'works' },
    source: 'flotob/curia src/contexts/EthereumProfileContext.tsx',
    requests: {
      '/users/:checksum/details': DETAILS,
      '/users/:checksum/stats': STATS,
      '/users/:checksum/following?limit=1000&offset=0': FOLLOWING,
      '/users/:checksum/following?limit=1000000': FOLLOWING,
      '/leaderboard/search?q=a': BOARD,
    },
  },
  {
    ...{ client: 'a Scaffold-ETH app', language: 'TypeScript', outcome: 'works' },
    requests: {
      '/users/:checksum/lists': LISTS,
      '/users/:checksum/following?limit=5000': FOLLOWING,
      '/lists/:list/followers?limit=3000': FOLLOWERS,
    },
  },
  {
    ...{ client: 'gap-app-v2', language: 'TypeScript', outcome: 'works' },
    source: 'show-karma/gap-app-v2 types/efp.ts',
    requests: {
      '/users/:checksum/stats': STATS,
      '/users/:checksum/commonFollowers?leader=:other&limit=8': COMMON,
      '/users/:checksum/following?limit=50&offset=0': FOLLOWING,
    },
  },
  {
    ...{ client: 'drips', language: 'TypeScript', outcome: 'works' },
    source: 'drips-network/app src/lib/utils/efp/index.ts',
    requests: {
      '/users/:name/stats': STATS,
      '/users/:checksum/commonFollowers?leader=:other': COMMON,
      '/users/:checksum/:other/followerState': STATE,
    },
  },
  {
    ...{ client: 'anticapture', language: 'TypeScript', outcome: 'works' },
    source: 'blockful/anticapture apps/address-enrichment/src/clients/efp.ts',
    headers: { 'content-type': 'application/json' },
    requests: {
      '/users/:address/stats': STATS,
      '/users/:address/:other/followerState': FOLLOWER_STATE,
      '/users/:nobody/:other/followerState': FOLLOWER_STATE,
    },
  },
  {
    ...{ client: 'ethpage', language: 'TypeScript', outcome: 'works' },
    source: 'didierkrux/ethpage src/lib/efp.ts',
    headers: { 'content-type': 'application/json' },
    requests: {
      '/users/:name/stats': STATS,
      '/users/:name/details': DETAILS,
      'POST /lists/:list/buttonStateBatch [":other",":checksum"]': [BUTTON],
      '/users/:name/following?limit=1': FOLLOWING,
    },
  },
  {
    ...{ client: 'onchainquest.fun', language: 'TypeScript', outcome: 'works' },
    source: 'didierkrux/onchainquest.fun src/utils/efp.ts',
    requests: {
      '/users/:checksum/lists?cache=fresh': LISTS,
      '/users/:nobody/lists?cache=fresh': { primary_list: 'empty text', lists: [] },
      '/users/:checksum/details': DETAILS,
      '/users/:checksum/followers': FOLLOWERS,
      '/users/:checksum/following': FOLLOWING,
    },
  },
  ...[
    { client: 'aragon', source: 'aragon/app src/shared/api/efpService/efpService.ts' },
    { client: 'agora', source: 'voteagora/agora-next src/app/lib/ENSUtils.ts' },
    { client: 'snapshot', source: 'snapshot-labs/sx-monorepo apps/ui/src/helpers/efp.ts' },
    { client: 'letstalk', source: 'JustaName-id/letstalk lib/efp.ts' },
    { client: 'uniswap', source: 'Uniswap/interface, pull request 7822' },
  ].map(
    (one): Client => ({
      ...{ ...one, language: 'TypeScript', outcome: 'works' },
      requests: { '/users/:checksum/stats': STATS, '/users/:checksum/stats?cache=fresh': STATS },
    }),
  ),
  {
    ...{ client: 'an RTK Query client', language: 'TypeScript', outcome: 'works' },
    requests: {
      '/users/:checksum/following?offset=0&limit=20&sort=followers': FOLLOWING,
      '/users/:checksum/searchFollowing?offset=0&limit=20&sort=followers&term=a': FOLLOWING_ENS,
      '/users/:checksum/stats': STATS,
    },
  },
  {
    ...{ client: 'two axios clients', language: 'TypeScript', outcome: 'works' },
    requests: {
      '/users/:checksum/followers': FOLLOWERS,
      '/users/:checksum/following': FOLLOWING,
      '/users/:checksum/:other/followerState': FOLLOWER_STATE,
      '/users/:checksum/stats': STATS,
    },
  },
  {
    ...{ client: 'a checker of lists', language: 'TypeScript', outcome: 'partly' },
    requests: {
      '/users/:checksum/account': ACCOUNT,
      '/users/:checksum/followers': FOLLOWERS,
      '/users/:checksum/following': FOLLOWING,
      '/users/:checksum/lists': LISTS,
      '/users/:nobody/lists': { primary_list: 'empty text', lists: [] },
    },
  },
  {
    ...{ client: 'Pixotchi', language: 'TypeScript', outcome: 'partly', times: 80 },
    requests: {
      '/users/:checksum/lists?cache=fresh': LISTS,
      '/users/:nobody/lists?cache=fresh': { primary_list: 'empty text', lists: [] },
      '/lists/:list/:other/buttonState?cache=fresh': STATE,
      '/users/:checksum/:other/followerState?cache=fresh': STATE,
    },
  },
  {
    ...{ client: 'four resolvers of names and avatars', language: 'TypeScript', outcome: 'works' },
    requests: {
      '/users/:checksum/ens': { ens: ENS },
      '/users/:nobody/ens': { ens: { name: 'empty text', avatar: 'empty text', records: { avatar: 'empty text' } } },
    },
  },
  {
    ...{ client: 'two resolvers that read beside `ens`', language: 'TypeScript', outcome: 'as in production' },
    requests: { '/users/:checksum/ens': { name: 'absent', avatar: 'absent' } },
  },
  {
    ...{ client: 'cards of the graph', language: 'TypeScript, JavaScript', outcome: 'works' },
    requests: {
      '/users/:name/stats': STATS,
      '/users/:name/lists': LISTS,
      '/lists/:list/following?limit=100': FOLLOWING,
      '/lists/:list/following?limit=8&tags=top8': FOLLOWING,
      '/lists/:list/stats': STATS,
    },
  },
  {
    ...{ client: 'a script for followers you know', language: 'JavaScript', outcome: 'works' },
    requests: { '/users/:name/stats': STATS, '/users/:name/commonFollowers?leader=:other': COMMON },
  },
  {
    ...{ client: 'a proxy for QR codes', language: 'JavaScript', outcome: 'works' },
    requests: { '/users/:name/qr': 'SVG' },
  },
  {
    ...{ client: 'a gate for minting', language: 'TypeScript', outcome: 'as in production' },
    requests: { '/users/:checksum': 404 },
  },
  {
    ...{ client: 'Kokonut agent SDK', language: 'TypeScript', outcome: 'as in production' },
    requests: { '/users/:checksum/follower-state/:other': 404 },
  },
  {
    ...{ client: 'four widgets for counts', language: 'JavaScript', outcome: 'as in production' },
    requests: { '/stats/:checksum': 404 },
  },
];
