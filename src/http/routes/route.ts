import type { Static, TSchema } from '@sinclair/typebox';
import { settleAll } from '../../async/settle-all.ts';
import type { Lookups } from '../../lookup/lookups.ts';
import type { Paged } from '../../lookup/page.ts';
import type { AccountParameter, AccountRef } from '../../lookup/refs/account-ref.ts';
import type { Address } from '../../protocol/hex.ts';
import type { Reader, StreamReader } from '../../store/store.ts';
import type { Parameters, Values } from '../parameters.ts';
import * as parameter from '../parameters.ts';
import { accountsIn } from './account-names.ts';

/** Groups of lookups in the documentation. */
export const GROUPS = {
  accounts: 'Profiles, ranks, counts and badges of one account, and the lists it has.',
  edges: 'Followers, and the accounts that a list follows, blocks or mutes.',
  states: 'How one account relates to another.',
  tags: 'Tags on the records of a list, and on an account.',
  leaderboard: 'The leaderboard and the numbers of the whole graph.',
  activity: 'Notifications, and suggestions of accounts to follow.',
} as const;
export type Group = keyof typeof GROUPS;

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

/** With both, a request with a `limit` or a `cursor` gets a page, and another one everything. */
type RouteAnswer<A extends unknown[], S extends TSchema> = Answer<A, S> | (PageAnswer<A, S> & StreamAnswer<A, S>);

export interface RouteFacts<P extends Parameters, Q extends Parameters, S extends TSchema> {
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  /** None by default, like `query`. */
  readonly params?: P;
  readonly query?: Q;
  readonly response: S;
  /** `json` by default. For the others, `lookup` returns the text. */
  readonly format?: Format;
  /** Whether the response changes as time passes, besides by names; takes the query before it was parsed. */
  dependsOnClock?(given: Record<string, unknown>): boolean;
  /** For `cache=fresh`: refreshes what the store holds from the name and badge sources. */
  renew?(reader: Reader, params: Values<P>, query: Values<Q>): Promise<unknown>;
  /** Whether it may take more than about a millisecond, however short the page. */
  isHeavy?(query: Values<Q>): boolean;
}

type TypedRoute<P extends Parameters, Q extends Parameters, S extends TSchema> = RouteFacts<P, Q, S> &
  RouteAnswer<[params: Values<P>, query: Values<Q>], S>;

/** One lookup of the API. */
export type Route = TypedRoute<Parameters, Parameters, TSchema> & {
  readonly params: Parameters;
  readonly query: Parameters;
};

/** Infers the types of a route from its parameters, and erases them so that all routes fit into one array. */
export function route<P extends Parameters, Q extends Parameters, S extends TSchema>(
  route: TypedRoute<P, Q, S>,
): Route {
  // Safe: it is only called with values that were parsed by the route's own parameters.
  return { params: {}, query: {}, ...route } as unknown as Route;
}

/** The two ways in which a path says what a lookup is about, and which parameter of a pair is the other account. */
const BY = {
  user: {
    path: '/users/:addressOrENS',
    params: { addressOrENS: parameter.account('The account', 'ada.eth') },
    other: 'addressOrENS2',
  },
  list: { path: '/lists/:token_id', params: { token_id: parameter.list }, other: 'addressOrENS' },
} as const;
type By = keyof typeof BY;

const OTHER_ACCOUNT = parameter.account('The other account', 'juniper.eth');

/** What a lookup reads, and the sentence that says so in its description; see docs/api.md. */
const SCOPES = {
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

interface AboutFacts {
  /** What follows the account or list, and the other account of a pair. */
  readonly path: string;
  readonly description: string;
  /** `account` by default. */
  readonly scope?: keyof typeof SCOPES;
}

/** A lookup about one account or list, and perhaps accounts in the query. */
type AboutRoute<Q extends Parameters, S extends TSchema, R extends AccountRef> = AboutFacts &
  Pick<RouteFacts<Parameters, Q, S>, 'response' | 'format' | 'isHeavy' | 'dependsOnClock'> & {
    readonly query?: Q;
    /** What `cache=fresh` refreshes; the default is the profile. */
    readonly renew?: keyof Lookups['renew'];
  } & Answer<[ref: R, query: Values<Q>], S>;

/** A lookup about an account or list and another account. */
interface PairRoute<S extends TSchema, R extends AccountRef> extends AboutFacts {
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
  const { renew } = lookups;
  const refOf = (by: By, params: Values<Parameters>): AccountRef =>
    // Safe: these are the parameters of `BY`.
    by === 'user' ? (params.addressOrENS as AccountParameter) : { kind: 'list', list: params.token_id as string };
  /** The same for an answer. Queues a profile refresh; only a resolved account can be queued. */
  const askedRef = (by: By, params: Values<Parameters>): AccountRef => {
    const ref = refOf(by, params);
    if (ref.kind === 'account') lookups.queueProfile(ref.account);
    return ref;
  };
  /** The address of an account that the statement needs it of. */
  const addressOf = async (reader: Reader, account: AccountParameter): Promise<Address> =>
    account.kind === 'account' ? account.account : lookups.resolveAddress(reader, account);
  const describe = (description: string, scope: keyof typeof SCOPES, by: By) =>
    `${description} ${SCOPES[scope][by]}`.trimEnd();

  function about<Q extends Parameters, S extends TSchema, R extends AccountRef>(lookup: AboutRoute<Q, S, R>): Routes {
    const { path, description, scope = 'account', renew: renewed = 'profile', ...facts } = lookup;
    const answerBy = (by: By): Answer<[Values<Parameters>, Values<Q>], S> => {
      // Safe: a lookup of lists has routes by list only.
      const ref = (params: Values<Parameters>) => askedRef(by, params) as R;
      if ('stream' in lookup) return { stream: (reader, params, query) => lookup.stream(reader, ref(params), query) };
      if ('page' in lookup) return { page: (reader, params, query) => lookup.page(reader, ref(params), query) };
      return { lookup: (reader, params, query) => lookup.lookup(reader, ref(params), query) };
    };
    const create = (by: By, summary: string) =>
      route<Parameters, Q, S>({
        ...facts,
        path: `${BY[by].path}/${path}`,
        summary,
        description: describe(description, scope, by),
        params: BY[by].params,
        renew: (reader, params, query) =>
          settleAll([
            renew[renewed](reader, refOf(by, params)),
            ...accountsIn(query).map((account) => renew.profile(reader, account)),
          ]),
        ...answerBy(by),
      });
    return { ofUser: (summary) => create('user', summary), ofList: (summary) => create('list', summary) };
  }

  function aboutPair<S extends TSchema, R extends AccountRef>(pair: PairRoute<S, R>): Routes {
    const { path, description, scope = 'account', response } = pair;
    const create = (by: By, summary: string) => {
      const { path: start, params, other } = BY[by];
      // Safe: the parameter is `OTHER_ACCOUNT`.
      const otherIn = (params: Values<Parameters>) => params[other] as AccountParameter;
      return route<Parameters, Parameters, S>({
        path: `${start}/:${other}/${path}`,
        summary,
        description: describe(description, scope, by),
        params: { ...params, [other]: OTHER_ACCOUNT },
        response,
        renew: (reader, params) =>
          settleAll([refOf(by, params), otherIn(params)].map((ref) => renew.profile(reader, ref))),
        lookup: async (reader, params) => {
          // Safe: as in `about`.
          const ref = askedRef(by, params) as R;
          return pair.lookup(reader, ref, await addressOf(reader, otherIn(params)));
        },
      });
    };
    return { ofUser: (summary) => create('user', summary), ofList: (summary) => create('list', summary) };
  }

  return { addressOf, about, aboutPair };
}
