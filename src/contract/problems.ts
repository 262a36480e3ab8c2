interface ProblemSpec {
  readonly status: number;
  readonly title: string;
  /** A detail that the documentation shows. */
  readonly example?: string;
}

/** Every error response by its stable code. */
export const PROBLEMS = {
  'unknown-list': { status: 404, title: 'Unknown list', example: 'there is no list 999999' },
  'unknown-name': { status: 404, title: 'Unknown name', example: 'no account holds the name nobody.eth' },
  'names-not-resolved': {
    status: 404,
    title: 'Names are not resolved',
    example: 'this service does not resolve names, and no stored profile has the name nobody.eth',
  },
  'no-avatar': {
    status: 404,
    title: 'No avatar',
    example: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266 has no avatar with an http or https URL',
  },
  'invalid-parameter': {
    status: 400,
    title: 'Invalid parameter',
    example: 'limit must be an integer from 1, got "0"',
  },
  'malformed-request': { status: 400, title: 'Malformed request', example: 'the body is not valid JSON' },
  'unknown-path': { status: 404, title: 'Unknown path' },
  'method-not-allowed': { status: 405, title: 'Method not allowed' },
  'body-too-large': { status: 413, title: 'Body too large', example: 'Request body is too large' },
  'unsupported-media-type': {
    status: 415,
    title: 'Unsupported media type',
    example: 'the request must have the header "content-type: application/json", which curl --json sends',
  },
  'request-timeout': { status: 408, title: 'Request timeout' },
  'request-too-large': { status: 431, title: 'Request too large' },
  'rate-limited': { status: 429, title: 'Too many requests', example: 'more than 600 requests in 60 seconds' },
  'too-many-streams': {
    status: 429,
    title: 'Too many event streams',
    example: 'this address has too many event streams open',
  },
  'position-not-indexed': {
    status: 409,
    title: 'Position not indexed',
    example: 'the position is above what is indexed: block 20180411 of chain 8453 is not indexed yet',
  },
  // Sent as the last event of a stream only.
  'slow-reader': { status: 408, title: 'Slow reader' },
  // Not sent: the status of nginx for a client that did not wait for its response.
  'client-closed-request': { status: 499, title: 'Client closed request' },
  internal: { status: 500, title: 'Internal error', example: 'internal error, see the server log' },
  overloaded: { status: 503, title: 'Overloaded', example: 'the service is overloaded, retry later' },
  'not-indexed-yet': {
    status: 503,
    title: 'Not indexed yet',
    example: 'chain 8453 is indexed up to block 20180409, not up to block 20180411 yet',
  },
  unavailable: {
    status: 503,
    title: 'Temporarily unavailable',
    example: 'the database is unavailable, retry later',
  },
} as const satisfies Record<string, ProblemSpec>;

export type ProblemCode = keyof typeof PROBLEMS;
// Safe: the keys of a literal object are known.
export const PROBLEM_CODES = Object.keys(PROBLEMS) as ProblemCode[];

/** What a lookup may not find. */
export type NotFoundCode = {
  [C in ProblemCode]: (typeof PROBLEMS)[C]['status'] extends 404 ? C : never;
}[ProblemCode];
