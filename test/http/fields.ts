/** Kinds of field values. Several are strings in JSON, with a format. */
const KINDS = {
  whole: { type: 'integer', test: (value: unknown) => Number.isInteger(value) },
  boolean: { type: 'boolean', test: (value: unknown) => typeof value === 'boolean' },
  map: {
    type: 'map',
    test: (value: unknown) =>
      typeof value === 'object' &&
      value !== null &&
      !Array.isArray(value) &&
      Object.values(value).every((text) => typeof text === 'string'),
  },
  string: text(/^/),
  integer: text(/^(0|[1-9]\d*)$/),
  'integer or empty': text(/^(0|[1-9]\d*)?$/),
  address: text(/^0x[0-9a-f]{40}$/),
  'address or empty': text(/^(0x[0-9a-f]{40})?$/),
  bytes: text(/^0x([0-9a-f]{2})+$/),
  'time or empty': text(/^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)?$/),
  time: text(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  date: text(/^\d\d-[A-Z][a-z]{2}-\d{4}$/),
  hours: text(/^\d+:00:00\(hrs\)$/),
  action: text(/^(follow|unfollow|tag|untag)$/),
  opcodes: text(/^(all|1|2|3|4)$/),
} as const;

function text(pattern: RegExp) {
  return { type: 'string', test: (value: unknown) => typeof value === 'string' && pattern.test(value) } as const;
}

type Kind = keyof typeof KINDS;
export type Shape = Kind | readonly [Shape] | NullOr | Fields;
export interface Fields {
  readonly [name: string]: Shape;
}
export class NullOr {
  readonly shape: Shape;
  constructor(shape: Shape) {
    this.shape = shape;
  }
}

export const ENS: Fields = {
  name: 'string',
  avatar: 'string',
  header: 'string',
  display: 'string',
  records: 'map',
  chains: 'map',
  fresh: 'whole',
  resolver: 'address or empty',
  errors: 'map',
  updated_at: 'time or empty',
};

export const RANKS: Fields = {
  mutuals_rank: 'integer',
  followers_rank: 'integer',
  following_rank: 'integer',
  top8_rank: 'integer',
  blocks_rank: 'integer',
};

const EVENT: Fields = {
  id: 'whole',
  fancy_id: 'string',
  name: 'string',
  event_url: 'string',
  image_url: 'string',
  country: 'string',
  city: 'string',
  description: 'string',
  year: 'whole',
  start_date: 'date',
  end_date: 'date',
  expiry_date: 'date',
};

const BADGE: Fields = {
  eventId: 'integer',
  participated: 'boolean',
  collection: new NullOr({ event: EVENT, tokenId: 'integer', owner: 'address' }),
};

export const LEADERBOARD_ENTRY: Fields = {
  address: 'address',
  name: 'string',
  avatar: 'string',
  mutuals_rank: 'integer',
  followers_rank: 'integer',
  following_rank: 'integer',
  blocks_rank: 'integer',
  mutuals: 'integer',
  following: 'integer',
  followers: 'integer',
  blocks: 'integer',
  updated_at: 'time',
  header: 'string',
  top8: 'integer',
  top8_rank: 'integer',
};

export const NOTIFICATION: Fields = {
  address: 'address',
  name: 'string',
  avatar: 'string',
  token_id: 'integer',
  action: 'action',
  opcode: 'whole',
  op: 'bytes',
  tag: 'string',
  updated_at: 'time',
};

export const SUMMARY: Fields = {
  interval: 'hours',
  opcode: 'opcodes',
  total: 'whole',
  total_follows: 'whole',
  total_unfollows: 'whole',
  total_tags: 'whole',
  total_untags: 'whole',
};

export const FOLLOWER: Fields = {
  svc_list_nft_token_id: 'integer',
  efp_list_nft_token_id: 'integer',
  address: 'address',
  tags: ['string'],
  is_following: 'boolean',
  is_blocked: 'boolean',
  is_muted: 'boolean',
  updated_at: 'time',
};

export const STATS: Fields = { followers_count: 'whole', following_count: 'whole' };

/** The five response bodies of the API contract, written independently of src. */
export const BODIES = {
  details: { address: 'address', ens: ENS, ranks: RANKS, primary_list: 'integer or empty', ...STATS },
  badges: { poaps: [BADGE] },
  leaderboard: { last_updated: 'time', results: [LEADERBOARD_ENTRY] },
  notifications: { summary: SUMMARY, notifications: [NOTIFICATION] },
  followers: { followers: [FOLLOWER] },
} as const satisfies Record<string, Shape>;

/** Replaces each kind of `shape` by its JSON type, to compare it with a schema. */
export function typesOf(shape: Shape): unknown {
  if (typeof shape === 'string') return KINDS[shape].type;
  if (shape instanceof NullOr) return { nullOr: typesOf(shape.shape) };
  if (isList(shape)) return [typesOf(shape[0])];
  return Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, typesOf(field)]));
}

/** Lists where `value` does not match `shape`, including missing and additional fields. */
export function misfits(value: unknown, shape: Shape, path = '$'): string[] {
  if (typeof shape === 'string') {
    return KINDS[shape].test(value) ? [] : [`${path}: ${JSON.stringify(value)} is not ${shape}`];
  }
  if (shape instanceof NullOr) return value === null ? [] : misfits(value, shape.shape, path);
  if (isList(shape)) {
    if (!Array.isArray(value)) return [`${path}: ${JSON.stringify(value)} is not an array`];
    return value.flatMap((item, i) => misfits(item, shape[0], `${path}[${i}]`));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return [`${path}: ${JSON.stringify(value)} is not an object`];
  }
  const additional = Object.keys(value).filter((name) => !Object.hasOwn(shape, name));
  const fields = Object.entries(shape).flatMap(([name, field]) =>
    Object.hasOwn(value, name)
      ? misfits((value as Record<string, unknown>)[name], field, `${path}.${name}`)
      : [`${path}.${name}: missing`],
  );
  return [...additional.map((name) => `${path}.${name}: not in the contract`), ...fields];
}

function isList(shape: Shape): shape is readonly [Shape] {
  return Array.isArray(shape);
}
