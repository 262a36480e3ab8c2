import type { FastifyReply, FastifyRequest } from 'fastify';
import { settleAll } from '../../async/settle-all.ts';
import type { MonotonicMs } from '../../async/unix-time.ts';
import type { Lookups } from '../../lookup/lookups.ts';
import { type AccountParameter, type AccountRef, readReferent } from '../../lookup/refs/account-ref.ts';
import { normaliseMany, type Other } from '../../lookup/refs/resolver.ts';
import { type Address, parseAddress } from '../../protocol/hex.ts';
import type { Reader } from '../../store/store.ts';
import { HttpProblem } from '../problems.ts';
import type { Format, Resolved as NoNames, Route } from '../routes/route.ts';
import { type AllowFresh, createRequestQueue } from '../server/limits.ts';
import { checkCursor, type Given } from './cursor.ts';
import { isTable, negotiateFormat } from './negotiate.ts';
import {
  after,
  type Block,
  cache,
  format,
  isAbsent,
  type Parameter,
  type Parameters,
  readParameters,
  type Source,
  type Values,
} from './parameters.ts';

/** A valid request. */
export interface Asked {
  readonly route: Route;
  /** Equal for all spellings of a value, and with defaults. */
  readonly params: Values<Parameters>;
  readonly query: Values<Parameters>;
  readonly given: Given;
  /** Accounts in the body, or in the query; null for a request without any. */
  readonly entries: Entries | null;
  readonly asksFresh: boolean;
  /** What has to be indexed before. It is no part of the answer. */
  readonly after: readonly Block[];
  readonly format: Format;
  /** Whether the answer has all rows instead of a page. */
  readonly isWhole: boolean;
  /** What the answer is made from. */
  readonly dependsOn: readonly Source[];
}

type Entries = readonly (string | null)[];

/** The parameters of all routes. */
const COMMON = { cache, after };

/** Throws an `HttpProblem` that names what is wrong. Unknown parameters are ignored. */
export function parse(route: Route, request: FastifyRequest): Asked {
  // Safe: Fastify parses both into objects.
  const sent = request.query as Record<string, unknown>;
  const params = readParameters(route.params, request.params as Record<string, unknown>);
  const query = readParameters(route.query, sent);
  const given = givenOf(route, sent);
  checkCursor({ route, params, query, given });
  const { cache: isFresh, after } = readParameters(COMMON, sent);
  const asksFresh = route.body === undefined && isFresh;
  const entries = entriesOf(route, query, request.body);
  const chosen = formatOf(route, sent, request.headers.accept);
  const isWhole = isTable(chosen) && route.stream !== undefined && PAGE.every((name) => given[name] === undefined);
  return {
    ...{ route, params, query, given, entries, asksFresh, after, format: chosen, isWhole },
    dependsOn: dependsOn(route, query),
  };
}

/** Parameters of a page. */
const PAGE = ['limit', 'offset', 'cursor'];

function formatOf(route: Route, sent: Readonly<Record<string, unknown>>, accept: string | undefined): Format {
  if (route.rows === undefined) return route.format ?? 'json';
  return readParameters({ format }, sent).format ?? negotiateFormat(accept);
}

/** Without the others, of which a URL may have thousands: a known URL keeps these. */
function givenOf({ query, rows }: Route, sent: Readonly<Record<string, unknown>>): Given {
  const names = [...Object.keys(query), ...(rows === undefined ? [] : ['format'])].filter(
    (name) => !isAbsent(sent[name]),
  );
  // One that was given several times is the same as once, with commas.
  return Object.fromEntries(names.map((name) => [name, String(sent[name])]));
}

function dependsOn(route: Route, query: Values<Parameters>): readonly Source[] {
  let sources = route.dependsOn;
  for (const name in route.query) {
    // Safe: `name` is a parameter, and its value was parsed by it.
    const source = (route.query[name] as Parameter<unknown>).dependsOn?.(query[name]) ?? null;
    if (source !== null && !sources.includes(source)) sources = [...sources, source];
  }
  return sources;
}

function entriesOf({ body, entriesIn }: Route, query: Values<Parameters>, given: unknown): Entries | null {
  if (body !== undefined) return parseEntries(given, body.maxEntries);
  // Safe: the parameter is one of `parameter.accounts`.
  return entriesIn === undefined ? null : (query[entriesIn] as Entries);
}

/** The body is undefined if there is none, because no parser runs then. */
function parseEntries(body: unknown, maxEntries: number): Entries {
  const entries = parseJson(String(body ?? ''));
  if (!Array.isArray(entries)) throw new HttpProblem('malformed-request', 'the body must be a JSON array');
  if (entries.length > maxEntries) {
    throw new HttpProblem(
      'malformed-request',
      `the body must have at most ${maxEntries} entries, got ${entries.length}`,
    );
  }
  const wrong = entries.findIndex((entry) => entry !== null && typeof entry !== 'string');
  if (wrong !== -1) throw new HttpProblem('malformed-request', `entry ${wrong} of the body must be a string or null`);
  return entries as Entries;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new HttpProblem('malformed-request', 'the body is not valid JSON', { cause: error });
  }
}

/** A request whose blocks are indexed, see `createBlockWaits`. */
export interface Reached {
  readonly asked: Asked;
}

/** A request for which sources were asked again, if it may do that. */
export interface Renewed {
  readonly asked: Asked;
  readonly isFresh: boolean;
  /** The accounts of names that were resolved meanwhile. */
  readonly holders: ReadonlyMap<string, Address>;
}

/** A request without names. */
export interface Resolved {
  readonly asked: Asked;
  readonly isFresh: boolean;
  readonly params: NoNames<Values<Parameters>>;
  readonly query: NoNames<Values<Parameters>>;
  /** The entries of the request. */
  readonly others: readonly Other[];
  /** Equal for requests that have the same answer; null if it is not cached. */
  readonly key: string | null;
  /** As long as its names lead to the same accounts; null without names. */
  readonly names: NamesAsOf | null;
}

interface NamesAsOf {
  /** Of the names in stored profiles. */
  readonly version: string | null;
  readonly expires: MonotonicMs;
}

/** For a name that a remote source resolves. */
const REMOTE_TTL_MS = 1_000;
/** Batches whose names are normalised at the same time. */
const NAME_BATCHES = 4;

export interface ResolveOptions {
  readonly lookups: Lookups;
  readonly reader: Reader;
  readonly versionOf: (sources: readonly Source[]) => string | null;
  readonly monotonic: () => MonotonicMs;
  /** Requests with `cache=fresh` above their rate limit are answered as those without. */
  readonly allowFresh: AllowFresh;
}

export function createResolve({ lookups, reader, versionOf, monotonic, allowFresh }: ResolveOptions) {
  const normalising = createRequestQueue(NAME_BATCHES);
  const ttl = lookups.sources.names === 'none' ? Number.POSITIVE_INFINITY : REMOTE_TTL_MS;

  /** Implements `cache=fresh`: asks the sources again for the accounts that the request names. */
  async function renew({ asked }: Reached, request: FastifyRequest, reply: FastifyReply): Promise<Renewed> {
    const isFresh = asked.asksFresh && (await allowFresh(request, reply));
    if (!isFresh) return { asked, isFresh, holders: new Map() };
    const withBadges = asked.dependsOn.includes('badges');
    const refs = refsIn(asked);
    const accounts = await settleAll(refs.map((ref) => lookups.renew(reader, ref, withBadges)));
    const holders = new Map<string, Address>();
    for (const [i, ref] of refs.entries()) {
      const account = accounts[i] ?? null;
      if (ref.kind === 'name' && account !== null) holders.set(ref.name, account);
    }
    return { asked, isFresh, holders };
  }

  /** Replaces names by the accounts that hold them. */
  async function resolve({ asked, isFresh, holders }: Renewed, request: FastifyRequest): Promise<Resolved> {
    const { params, query, entries } = asked;
    const known = new Map(holders);
    let names: NamesAsOf | null = null;
    const given = new Set(refsIn(asked).flatMap((ref) => (ref.kind === 'name' ? [ref.name] : [])));
    if (given.size > 0 || entries !== null) {
      // Before names are read: a commit in between makes an account newer than its version, never older.
      names = { version: versionOf(['names']), expires: monotonic() + ttl };
      const found = [...given].map(async (name) =>
        known.set(name, known.get(name) ?? (await lookups.resolveName(reader, name))),
      );
      await Promise.all(found);
    }
    const resolved = { params: withAccounts(params, known), query: withAccounts(query, known) };
    const others = entries === null ? [] : await resolveEntries(asked, entries, request);
    const key = asked.route.body === undefined ? keyOf(asked, { ...resolved, others }) : null;
    return { asked, isFresh, ...resolved, others, key, names };
  }

  async function resolveEntries(asked: Asked, entries: Entries, request: FastifyRequest): Promise<Other[]> {
    const addresses = entries.map(parseAddress);
    const texts = new Set(entries.flatMap((text, i) => (text === null || addresses[i] !== null ? [] : [text])));
    if (texts.size === 0) return entries.map((text, i) => ({ text, address: addresses[i] ?? null }));
    // No source is asked on behalf of a list that is unknown.
    for (const ref of refsIn(asked)) if (ref.kind === 'list') await readReferent(reader, ref);
    const names = await normalising.run(request, () => normaliseMany(texts));
    // An outage of the name source fails the request.
    const resolved = await lookups.resolveMany(reader, names, () => request.socket.destroyed);
    return entries.map((text, i) => ({ text, address: addresses[i] ?? resolved.get(text ?? '') ?? null }));
  }

  return { renew, resolve };
}

type Ref = AccountParameter | AccountRef;

/** Safe: no other parameter has a value with this property. */
const isRef = (value: unknown): value is Ref => typeof value === 'object' && value !== null && 'kind' in value;

/** The accounts and lists that a request names. */
function refsIn({ params, query }: Pick<Asked, 'params' | 'query'>): Ref[] {
  return [...Object.values(params), ...Object.values(query)].filter(isRef);
}

/** The accounts that a request names. */
export function accountsIn(resolved: Pick<Resolved, 'params' | 'query'>): Address[] {
  return refsIn(resolved).flatMap((ref) => (ref.kind === 'account' ? [ref.account] : []));
}

function withAccounts(values: Values<Parameters>, holders: ReadonlyMap<string, Address>): NoNames<Values<Parameters>> {
  const resolved: Record<string, unknown> = {};
  for (const name in values) {
    const value: unknown = values[name];
    resolved[name] =
      isRef(value) && value.kind === 'name' ? { kind: 'account', account: holders.get(value.name) } : value;
  }
  return resolved;
}

/** Of what an answer is made from: neither of the order of parameters nor of unknown ones, and with defaults. */
function keyOf(
  { route, format, isWhole }: Asked,
  { params, query, others }: Pick<Resolved, 'params' | 'query' | 'others'>,
): string {
  const { path, entriesIn } = route;
  const accounts = entriesIn === undefined ? {} : { [entriesIn]: others.map(({ address }) => address) };
  return JSON.stringify([path, params, { ...query, ...accounts }, format, isWhole]);
}
