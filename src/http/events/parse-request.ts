import type { FastifyRequest } from 'fastify';
import { type EventFilter, whyImpossible } from '../../live/filter.ts';
import type { Position, PositionCodec } from '../../live/position.ts';
import type { Finality } from '../../live/read-logs.ts';
import type { AccountParameter } from '../../lookup/refs/account-ref.ts';
import { type Address, parseAddress } from '../../protocol/hex.ts';
import { HttpProblem } from '../problems.ts';
import { type Parameters, readParameters } from '../request/parameters.ts';
import { DEFAULT_LIMIT, type EventValues, GET_PARAMETERS, POST_PARAMETERS } from './parameters.ts';

export const MAX_BODY_ACCOUNTS = 10_000;

/** A valid request for events, whose names are not resolved yet. */
export interface EventRequest {
  readonly filter: Omit<EventFilter, 'accounts'>;
  /** Null for all. */
  readonly accounts: readonly AccountParameter[] | null;
  readonly finality: Finality;
  readonly since: Position | null;
  readonly untilNow: boolean;
  readonly limit: number;
  /** Null for a page of what follows `since`. */
  readonly last: number | null;
  readonly withEns: boolean;
  /** The parameters before they were parsed, which a link repeats. */
  readonly given: Readonly<Record<string, unknown>>;
}

const invalid = (detail: string) => new HttpProblem('invalid-parameter', detail);
const malformed = (detail: string, options?: ErrorOptions) => new HttpProblem('malformed-request', detail, options);

/** Throws an `HttpProblem` that names what is wrong. */
export function parseEventRequest(codec: PositionCodec, request: FastifyRequest, isPage: boolean): EventRequest {
  const isPost = request.method === 'POST';
  // Safe: Fastify parses it into an object.
  const given = request.query as Record<string, unknown>;
  const parameters: Parameters = isPost ? POST_PARAMETERS : GET_PARAMETERS;
  for (const [name, value] of Object.entries(given)) {
    if (isPost && name === 'account') throw invalid('account must be in the body of a POST: {"accounts": […]}');
    // A list that a program has left empty by mistake would be a filter that lets all events pass.
    if (name in parameters && [value].flat().includes('')) throw invalid(`${name} must not be empty`);
  }
  // Safe: the parameters of a GET are those of a POST, and `account`.
  const values = readParameters(parameters, given) as EventValues;
  if (!isPage && values.limit !== null)
    throw invalid('limit is for pages, with the header Accept: application/json; a stream has no limit');
  if (!isPage && values.last !== null)
    throw invalid('last is for pages, with the header Accept: application/json; a stream begins with since');
  if (values.last !== null && (values.since !== null || values.limit !== null))
    throw invalid('last is a page of its own: it cannot be combined with since and limit');
  const accounts = isPost ? parseBody(request.body) : (values.account ?? null);
  const filter = {
    role: values.role,
    types: values.type && new Set(values.type),
    tags: values.tag && new Set(values.tag),
    allLists: values.lists === 'all',
  };
  const impossible = whyImpossible({ ...filter, accounts: accounts && new Set() });
  if (impossible !== null) throw invalid(`no event can pass this filter: ${impossible}`);
  return {
    ...{ filter, accounts, given },
    finality: values.finality,
    since: parseSince(codec, request.headers['last-event-id'], values.since),
    untilNow: values.until !== null,
    limit: values.limit ?? DEFAULT_LIMIT,
    last: values.last,
    withEns: values.include !== null,
  };
}

/** Null for now. */
function parseSince(
  codec: PositionCodec,
  header: string | string[] | undefined,
  since: string | null,
): Position | null {
  const [name, text] = typeof header === 'string' && header !== '' ? ['Last-Event-ID', header] : ['since', since];
  if (text === null) return null;
  if (text === '0') return new Map();
  const decoded = codec.decode(text);
  if (decoded === 'other-deployment')
    throw invalid(`${name} is an id of a service with other contracts, or of another network`);
  if (decoded === 'damaged') throw invalid(`${name} must be 0 or an id that this service has sent: it is damaged`);
  return decoded;
}

/** The body of a POST: `{"accounts": ["0x…"]}`. */
function parseBody(body: unknown): AccountParameter[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(String(body ?? ''));
  } catch (error) {
    throw malformed('the body is not valid JSON', { cause: error });
  }
  const { accounts, ...others } = (parsed ?? {}) as { readonly accounts?: unknown };
  if (!Array.isArray(accounts)) throw malformed('the body must be an object with the array "accounts"');
  const [other] = Object.keys(others);
  if (other !== undefined)
    throw malformed(`the body must have "accounts" only, got ${JSON.stringify(other.slice(0, 100))}`);
  if (accounts.length === 0) throw malformed('"accounts" must not be empty');
  if (accounts.length > MAX_BODY_ACCOUNTS)
    throw malformed(`"accounts" must have at most ${MAX_BODY_ACCOUNTS} entries, got ${accounts.length}`);
  return accounts.map((text, i) => {
    const account: Address | null = parseAddress(text);
    if (account === null) throw malformed(`entry ${i} of "accounts" must be an address (0x and 40 hex digits)`);
    return { kind: 'account', account };
  });
}
