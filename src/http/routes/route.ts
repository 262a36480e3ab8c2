import type { Static, TSchema } from '@sinclair/typebox';
import type { Paged } from '../../lookup/page.ts';
import type { AccountParameter, AccountRef, ByAddress } from '../../lookup/refs/account-ref.ts';
import type { Other } from '../../lookup/refs/resolver.ts';
import type { Address } from '../../protocol/hex.ts';
import type { Reader, SnapshotReader, StreamReader } from '../../store/store.ts';
import { TABLE_TYPES, type TableFormat } from '../request/negotiate.ts';
import type { Parameter, Parameters, Source, Values } from '../request/parameters.ts';
import * as parameter from '../request/parameters.ts';

/** Groups of lookups in the documentation. */
export const GROUPS = {
  accounts: 'Profiles, ranks, counts and badges of one account, and the lists it has.',
  edges: 'Followers, and the accounts that a list follows, blocks or mutes.',
  states: 'How one account relates to another, and how far it is from it.',
  tags: 'Tags on the records of a list, and on an account.',
  leaderboard: 'The leaderboard and the numbers of the whole graph.',
  activity: 'What happened to an account, what it did, and suggestions of accounts to follow.',
} as const;
export type Group = keyof typeof GROUPS;

/** What the text of a response is: JSON that is serialised with the schema, its rows, a picture, or the URL of a redirect. */
export type Format = TableFormat | 'svg' | 'redirect';
export const MEDIA_TYPES = { ...TABLE_TYPES, svg: 'image/svg+xml' } as const;

/**
 * What a request costs: less than about a millisecond, more than that, or as much as a response of any length. Large pages
 * and deep offsets are heavy anyway.
 */
export type Cost = 'light' | 'heavy' | 'stream';

/** Values of parameters whose names are resolved. */
export type Resolved<V> = { readonly [K in keyof V]: Exclude<V[K], Extract<AccountParameter, { kind: 'name' }>> };

type Cursor = { readonly cursor: Parameter<unknown> };

/**
 * What a lookup returns: a value of the type of its response schema, which serialises it. With a `cursor` in its query, a
 * page. At the cost `stream`, the value in pieces, each of which has all properties, with some of the items of each array.
 */
type Found<Q extends Parameters, S extends TSchema> =
  | AsyncGenerator<Static<S>>
  | Promise<Q extends Cursor ? Paged<Static<S>> : Static<S>>;

type AllRows<S extends TSchema> = AsyncGenerator<Partial<Static<S>>>;

interface RouteFacts<Q extends Parameters, S extends TSchema> {
  readonly summary: string;
  readonly description: string;
  /** None by default. */
  readonly query?: Q;
  readonly response: S;
  /** `json` by default. For the others, `lookup` returns the text. */
  readonly format?: 'json' | 'svg' | 'redirect';
  /** An array of the answer whose items are also returned as CSV and NDJSON, and the properties that none of them has. */
  readonly rows?: { readonly in: keyof Static<S> & string; omit?(query: Resolved<Values<Q>>): readonly string[] };
  /** What an answer is made from. Parameters may add to it. */
  readonly dependsOn: readonly Source[];
  /** `light` by default. */
  readonly cost?: Cost | ((query: Resolved<Values<Q>>) => Cost);
  /** Accounts that only the answer names, and whose profiles it shows: these are refreshed if they are stale. */
  profilesIn?(body: Static<S>): readonly string[];
}

export type LookupReader = Reader & StreamReader & SnapshotReader;

interface TypedRoute<P extends Parameters, Q extends Parameters, S extends TSchema> extends RouteFacts<Q, S> {
  readonly path: string;
  readonly params?: P;
  /** A POST that reads, because a query string cannot hold a thousand addresses. Its answers are not cached. */
  readonly body?: {
    readonly title: string;
    readonly maxEntries: number;
    readonly example: readonly string[];
    /** Whether a GET of the same path has the entries in its query. */
    readonly hasGet?: boolean;
  };
  /** The parameter of the query that has what another route has in its body. */
  readonly entriesIn?: keyof Q & string;
  lookup(
    reader: LookupReader,
    params: Resolved<Values<P>>,
    query: Resolved<Values<Q>>,
    /** The entries of the body. */
    others: readonly Other[],
  ): Found<Q, S>;
  /** All of `rows`, some at a time, for a lookup that returns a page of them. */
  stream?(reader: LookupReader, params: Resolved<Values<P>>, query: Resolved<Values<Q>>): AllRows<S>;
}

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

/** The body of most lookups about many accounts. */
export const BATCH = { title: 'BatchAccounts', maxEntries: 1_000, example: ['juniper.eth', 'unclaimed.eth'] } as const;
export const IN_ORDER = 'The answer has an entry for each entry of the body, in the same order';

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

interface AboutFacts<Q extends Parameters, S extends TSchema> extends Omit<RouteFacts<Q, S>, 'summary'> {
  /** What follows the account or list, and the other account of a pair. */
  readonly path: string;
  /** `account` by default. */
  readonly scope?: keyof typeof SCOPES;
}

/** Creates the routes of a lookup that is about an account or a list. */
export function about<Q extends Parameters, S extends TSchema, R extends AccountRef>(
  facts: AboutFacts<Q, S> & {
    lookup(reader: LookupReader, ref: R, query: Resolved<Values<Q>>): Found<Q, S>;
    stream?(reader: LookupReader, ref: R, query: Resolved<Values<Q>>): AllRows<S>;
  },
) {
  const { lookup, stream, ...rest } = facts;
  // Safe: a lookup of lists has routes by list only.
  return routesOf(rest, false, {
    lookup: (reader, ref, query) => lookup(reader, ref as R, query),
    ...(stream && { stream: (reader, ref, query) => stream(reader, ref as R, query) }),
  });
}

/** The same for a lookup that is about another account besides. */
export function aboutPair<S extends TSchema, R extends AccountRef>(
  facts: AboutFacts<Parameters, S> & { lookup(reader: Reader, ref: R, other: Address): Promise<Static<S>> },
) {
  // Safe: as above. A pair has another account.
  return routesOf<Parameters, S>(facts, true, {
    lookup: (reader, ref, _, other) => facts.lookup(reader, ref as R, other as Address),
  });
}

function routesOf<Q extends Parameters, S extends TSchema>(
  { path, description, scope = 'account', ...facts }: AboutFacts<Q, S>,
  isPair: boolean,
  {
    lookup,
    stream,
  }: {
    lookup(reader: LookupReader, ref: AccountRef, query: Resolved<Values<Q>>, other: Address | undefined): Found<Q, S>;
    stream?(reader: LookupReader, ref: AccountRef, query: Resolved<Values<Q>>): AllRows<S>;
  },
) {
  const create = (by: By, summary: string) => {
    const { path: start, params, other } = BY[by];
    // Safe, here and below: these are the parameters of `BY` and `OTHER_ACCOUNT`.
    const refOf = (values: object) =>
      (values as Record<string, AccountRef>)[by === 'user' ? 'addressOrENS' : 'token_id'] as AccountRef;
    return route<Parameters, Q, S>({
      ...facts,
      path: `${start}${isPair ? `/:${other}` : ''}/${path}`,
      summary,
      description: `${description} ${SCOPES[scope][by]}`.trimEnd(),
      // The account of a list is a fact of the graph.
      dependsOn: by === 'list' ? [...new Set<Source>(['graph', ...facts.dependsOn])] : facts.dependsOn,
      params: isPair ? { ...params, [other]: OTHER_ACCOUNT } : params,
      lookup: (reader, values, query) => {
        const { [other]: second } = values as Record<string, AccountRef>;
        return lookup(reader, refOf(values), query, isPair ? (second as ByAddress).account : undefined);
      },
      ...(stream && { stream: (reader, values, query) => stream(reader, refOf(values), query) }),
    });
  };
  return {
    ofUser: (summary: string) => create('user', summary),
    ofList: (summary: string) => create('list', summary),
  };
}
