import type { Static, TSchema } from '@sinclair/typebox';
import { settleAll } from '../../async/settle-all.ts';
import type { Lookups } from '../../lookup/lookups.ts';
import type { Paged } from '../../lookup/page.ts';
import type { AccountParameter, AccountRef, ListRef } from '../../lookup/refs/account-ref.ts';
import type { Address } from '../../protocol/hex.ts';
import type { Reader, StreamReader } from '../../store/store.ts';
import * as parameter from '../parameters.ts';

/** Groups of lookups in the documentation. */
export const GROUPS = {
  accounts: 'Profiles, ranks, counts and badges of one account, and the lists it has.',
  edges: 'Followers, and the accounts that a list follows, blocks or mutes.',
  states: 'How one account relates to another.',
  tags: 'Tags on the records of a list, and on an account.',
  leaderboard: 'The leaderboard and the numbers of the whole graph.',
  activity: 'Notifications, and suggestions of accounts to follow.',
} as const;

/** What the text of a response is: JSON that is serialised with the schema, a picture, or the URL of a redirect. */
export type Format = 'json' | 'svg' | 'redirect';

/** How a lookup answers: with a value of the type of its response schema, which serialises it. */
type Answer<A extends unknown[], S extends TSchema> =
  | { lookup(reader: Reader, ...args: A): Promise<Static<S>> }
  | PageAnswer<A, S>
  | StreamAnswer<A, S>;

interface PageAnswer<A extends unknown[], S extends TSchema> {
  /** For a page, whose query has a `cursor`. */
  page(reader: Reader, ...args: A): Promise<Paged<Static<S>>>;
}

interface StreamAnswer<A extends unknown[], S extends TSchema> {
  /** For a response of any length, in pieces. Each has all properties, with some of the items of each array. */
  stream(reader: StreamReader, ...args: A): AsyncGenerator<Static<S>>;
}

/** One lookup of the API. */
export type Route<
  P extends parameter.Parameters = parameter.Parameters,
  Q extends parameter.Parameters = P,
  S extends TSchema = TSchema,
> = RouteFacts<P, Q, S> & RouteAnswer<[params: parameter.Values<P>, query: parameter.Values<Q>], S>;

/** With both, a request with a `limit` or a `cursor` gets a page, and another one everything. */
type RouteAnswer<A extends unknown[], S extends TSchema> = Answer<A, S> | (PageAnswer<A, S> & StreamAnswer<A, S>);

export interface RouteFacts<P extends parameter.Parameters, Q extends parameter.Parameters, S extends TSchema> {
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly group: keyof typeof GROUPS;
  readonly params: P;
  readonly query: Q;
  readonly response: S;
  /** `json` by default. For the others, `lookup` returns the text. */
  readonly format?: Format;
  /** Whether the response changes as time passes; takes the unparsed query, to see which parameters are given. */
  dependsOnClock?(given: Record<string, unknown>, params: parameter.Values<P>, query: parameter.Values<Q>): boolean;
  /** For `cache=fresh`: refreshes what the store holds from the name and badge sources. */
  renew?(reader: Reader, params: parameter.Values<P>, query: parameter.Values<Q>): Promise<void>;
  /** Replaces names by the addresses that a remote source resolves them to. */
  resolve?(params: parameter.Values<P>, query: parameter.Values<Q>): Promise<Resolved<P, Q>>;
  /** Whether it may take more than about a millisecond, however short the page. */
  isHeavy?(query: parameter.Values<Q>): boolean;
}

interface Resolved<P extends parameter.Parameters, Q extends parameter.Parameters> {
  readonly params: parameter.Values<P>;
  readonly query: parameter.Values<Q>;
}

/** Infers the types of a route from its parameters, and erases them so that all routes fit into one array. */
export function route<P extends parameter.Parameters, Q extends parameter.Parameters, S extends TSchema>(
  route: Route<P, Q, S>,
): Route {
  // Safe: it is only called with values that were parsed by the route's own parameters.
  return route as unknown as Route;
}

export const MAX_OFFSET = 2 ** 31 - 1;
export const offset = parameter.integer('Index of the first entry of the page.', 0, MAX_OFFSET, 0);

const ACCOUNT = parameter.account('The account', 'ada.eth');
const OTHER_ACCOUNT = parameter.account('The other account', 'juniper.eth');

/** What a lookup is about, and the sentence that says so in its description; see docs/api.md. */
const SUBJECTS = {
  account: {
    user: '',
    list: 'The account of a list is the user of its storage slot, or the owner of the list if the slot has no user.',
  },
  slot: {
    user: 'The records are those of the valid primary list of the account; without one there are none.',
    list: 'The records are those in the storage slot of the list, even if it is not a primary list.',
  },
  both: {
    user: 'The accounts followed are those of the valid primary list of the account; without one there are none.',
    list: 'The followers are those of the account of the list, which is the user of its storage slot, or its owner if the slot has no user. The accounts followed are those in the slot.',
  },
} as const;
type SubjectKind = keyof typeof SUBJECTS;

function describe(description: string, subject: SubjectKind, by: 'user' | 'list'): string {
  return `${description} ${SUBJECTS[subject][by]}`.trimEnd();
}

/** A lookup about one account or list: `path` is what follows `/users/…/` or `/lists/…/`. */
type AboutRoute<Q extends parameter.Parameters, S extends TSchema, R extends AccountRef> = AboutFacts<Q, S> &
  Answer<[ref: R, query: parameter.Values<Q>], S>;

interface AboutFacts<Q extends parameter.Parameters, S extends TSchema>
  extends Pick<
    RouteFacts<parameter.Parameters, Q, S>,
    'path' | 'description' | 'group' | 'query' | 'response' | 'format' | 'isHeavy'
  > {
  readonly subject: SubjectKind;
  /** Whether the response changes as time passes, besides by names that a remote source resolves. */
  readonly dependsOnClock?: (given: Record<string, unknown>) => boolean;
  /** The parameter of the query that names another account, or is null. */
  readonly other?: keyof Q;
  /** What `cache=fresh` refreshes; the default is the profile. */
  readonly renew?: keyof Lookups['renew'];
}

/** A lookup about an account or list and another account, which comes before the last word of the path. */
interface PairRoute<S extends TSchema, R extends AccountRef> {
  readonly path: string;
  readonly description: string;
  readonly subject: SubjectKind;
  readonly response: S;
  lookup(reader: Reader, ref: R, other: Address): Promise<Static<S>>;
}

/** The routes of a lookup, by account and by list. */
interface Routes {
  ofUser(summary: string): Route;
  ofList(summary: string): Route;
}

/** Creates the routes of lookups that are about an account, a list, or another account besides. */
export type RouteFactory = ReturnType<typeof createRouteFactory>;

export function createRouteFactory(lookups: Lookups) {
  const { renew, sources } = lookups;
  /** A name that a remote source resolves: the result is not in the database, and expires. */
  const isRemote = (account: AccountParameter | null) => account?.kind === 'name' && sources.names !== 'none';
  /** Queues a profile refresh; only a resolved account can be queued. */
  const queueProfile = (account: AccountRef) => {
    if (account.kind === 'account') lookups.queueProfile(account.account);
    return account;
  };
  /** Resolves the names among `accounts` that need a remote source. */
  const resolveRemote = async <T extends object>(values: T, accounts: readonly (keyof T)[]): Promise<T> => {
    // Safe: these parameters are accounts.
    const remote = accounts.filter((name) => isRemote(values[name] as AccountParameter | null));
    if (remote.length === 0) return values;
    const resolved = remote.map(async (name) => [name, await lookups.resolveAccount(values[name] as AccountRef)]);
    return { ...values, ...Object.fromEntries(await Promise.all(resolved)) };
  };
  /** The same for an account that the statement needs the address of. */
  const addressOf = async (reader: Reader, reference: AccountParameter): Promise<Address> =>
    reference.kind === 'account' ? reference.account : lookups.resolveAddress(reader, reference);
  const byList = (list: string): ListRef => ({ kind: 'list', list });

  function about<Q extends parameter.Parameters, S extends TSchema, R extends AccountRef>(
    lookup: AboutRoute<Q, S, R>,
  ): Routes {
    const {
      path,
      description,
      subject,
      group,
      query,
      response,
      format = 'json',
      other,
      isHeavy = () => false,
    } = lookup;
    const othersIn = (values: parameter.Values<Q>) => {
      // Safe: this parameter is an account.
      const account = other === undefined ? null : (values[other] as AccountParameter | null);
      return account === null ? [] : [account];
    };
    const changes = (given: Record<string, unknown>, values: parameter.Values<Q>) =>
      (lookup.dependsOnClock?.(given) ?? false) || othersIn(values).some(isRemote);
    const resolveOther = (values: parameter.Values<Q>) =>
      resolveRemote<parameter.Values<Q>>(values, other === undefined ? [] : [other]);
    const renewAll = async (reader: Reader, ref: AccountRef, values: parameter.Values<Q>) => {
      const others = othersIn(values).map((account) => renew.profile(reader, account));
      await settleAll([renew[lookup.renew ?? 'profile'](reader, ref), ...others]);
    };
    const answerBy = <P extends object>(refOf: (params: P) => AccountRef): Answer<[P, parameter.Values<Q>], S> =>
      // Safe, here and below: a lookup of lists has routes by list only.
      'stream' in lookup
        ? { stream: (reader, params, values) => lookup.stream(reader, refOf(params) as R, values) }
        : 'page' in lookup
          ? { page: (reader, params, values) => lookup.page(reader, refOf(params) as R, values) }
          : { lookup: (reader, params, values) => lookup.lookup(reader, refOf(params) as R, values) };
    return {
      ofUser: (summary) =>
        route({
          path: `/users/:addressOrENS/${path}`,
          description: describe(description, subject, 'user'),
          ...{ summary, group, query, response, format, isHeavy },
          params: { addressOrENS: ACCOUNT },
          dependsOnClock: (given, { addressOrENS }, values) => isRemote(addressOrENS) || changes(given, values),
          renew: (reader, { addressOrENS }, values) => renewAll(reader, addressOrENS, values),
          async resolve(params, values) {
            const [resolved, query] = await Promise.all([
              resolveRemote(params, ['addressOrENS']),
              resolveOther(values),
            ]);
            return { params: resolved, query };
          },
          ...answerBy(({ addressOrENS }: { addressOrENS: AccountParameter }) => queueProfile(addressOrENS)),
        }),
      ofList: (summary) =>
        route({
          path: `/lists/:token_id/${path}`,
          description: describe(description, subject, 'list'),
          ...{ summary, group, query, response, format, isHeavy },
          params: { token_id: parameter.list },
          dependsOnClock: (given, _, values) => changes(given, values),
          renew: (reader, { token_id }, values) => renewAll(reader, byList(token_id), values),
          resolve: async (params, values) => ({ params, query: await resolveOther(values) }),
          ...answerBy(({ token_id }: { token_id: string }) => byList(token_id)),
        }),
    };
  }

  function aboutPair<S extends TSchema, R extends AccountRef>(pair: PairRoute<S, R>): Routes {
    const { path, description, subject, response } = pair;
    const shared = { group: 'states', query: {}, response } as const;
    const renewBoth = async (reader: Reader, one: AccountRef, other: AccountRef) => {
      await settleAll([renew.profile(reader, one), renew.profile(reader, other)]);
    };
    const run = async (reader: Reader, ref: AccountRef, other: AccountParameter) =>
      pair.lookup(reader, ref as R, await addressOf(reader, other));
    return {
      ofUser: (summary) =>
        route({
          path: `/users/:addressOrENS/:addressOrENS2/${path}`,
          description: describe(description, subject, 'user'),
          ...{ summary, ...shared },
          params: { addressOrENS: ACCOUNT, addressOrENS2: OTHER_ACCOUNT },
          dependsOnClock: (_, { addressOrENS, addressOrENS2 }) => isRemote(addressOrENS) || isRemote(addressOrENS2),
          renew: (reader, { addressOrENS, addressOrENS2 }) => renewBoth(reader, addressOrENS, addressOrENS2),
          resolve: async (params, query) => ({
            params: await resolveRemote(params, ['addressOrENS', 'addressOrENS2']),
            query,
          }),
          lookup: (reader, { addressOrENS, addressOrENS2 }) => run(reader, queueProfile(addressOrENS), addressOrENS2),
        }),
      ofList: (summary) =>
        route({
          path: `/lists/:token_id/:addressOrENS/${path}`,
          description: describe(description, subject, 'list'),
          ...{ summary, ...shared },
          params: { token_id: parameter.list, addressOrENS: OTHER_ACCOUNT },
          dependsOnClock: (_, { addressOrENS }) => isRemote(addressOrENS),
          renew: (reader, { token_id, addressOrENS }) => renewBoth(reader, byList(token_id), addressOrENS),
          resolve: async (params, query) => ({ params: await resolveRemote(params, ['addressOrENS']), query }),
          lookup: (reader, { token_id, addressOrENS }) => run(reader, byList(token_id), addressOrENS),
        }),
    };
  }

  return { addressOf, about, aboutPair };
}
