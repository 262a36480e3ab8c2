import { type RawBuilder, sql } from 'kysely';
import type { NotFoundCode } from '../../contract/problems.ts';
import { normaliseName } from '../../names/normalise-name.ts';
import { type Address, parseAddress } from '../../protocol/hex.ts';
import type { Dialect } from '../../store/dialect.ts';
import { param } from '../../store/params.ts';
import {
  type Columns,
  type Headed,
  type NamedQueries,
  type RowOf,
  type Select,
  type Statement,
  select,
  splitHead,
  statement,
  withHead,
  withQueries,
} from '../../store/statement.ts';
import type { Reader, StreamReader } from '../../store/store.ts';

/** Thrown by a lookup that has no result; `detail` is shown to the client. */
export class ProblemError extends Error {
  override name = 'ProblemError';
  readonly code: NotFoundCode;

  constructor(code: NotFoundCode, detail: string, options?: ErrorOptions) {
    super(detail, options);
    this.code = code;
  }
}

export type RefKind = 'account' | 'list';

/** What a lookup is about: an account, by address or by list. Names are resolved before. */
export type AccountRef = ByAddress | ListRef;

export interface ByAddress {
  readonly kind: 'account';
  readonly account: Address;
}

export interface ListRef {
  readonly kind: 'list';
  readonly list: string;
}

/** How a client names an account: by address or by normalised name. */
export type AccountParameter = ByAddress | { readonly kind: 'name'; readonly name: string };

/** Null if `text` is neither an address nor a valid name. */
export function parseAccountParameter(text: string): AccountParameter | null {
  const account = parseAddress(text);
  if (account !== null) return { kind: 'account', account };
  const name = normaliseName(text);
  return name === null ? null : { kind: 'name', name };
}

/** What a reference resolves to. */
export interface Referent {
  readonly ref_address: Address;
  /** The list, or the valid primary list of the account; null if there is none. */
  readonly ref_list: string | null;
  /** The valid primary list of the account; null if there is none. */
  readonly ref_primary_list: string | null;
}

/** The id of the account that a reference resolves to; null if the graph does not have it. */
export const ACCOUNT = sql<number | null>`(select account from ref)`;
/** The id of the slot of the list, or of the active slot of the account; null if there is none. */
export const SLOT = sql<number | null>`(select slot from ref)`;
export const ADDRESS = sql<Address>`(select address from ref)`;

/** One row with the columns that the constants above select; none for an unknown list. */
function selectRef(kind: RefKind): RawBuilder<unknown> {
  const account = sql`accounts.id as account`;
  const active = sql`active_slot as slot, active_list as list, active_list as primary_list`;
  switch (kind) {
    case 'account':
      return sql`select given.address, ${account}, ${active} from (select ${param('ref')} as address) as given
        left join accounts on accounts.address = given.address`;
    case 'list':
      return sql`select accounts.address, ${account}, lists.slot, token_id as list, active_list as primary_list
        from lists join accounts on accounts.id = lists.account where token_id = ${param('ref')}`;
  }
}

/** What the page of a statement is written for. */
export interface RefContext {
  readonly dialect: Dialect;
  readonly isShort: boolean;
  readonly kind: RefKind;
}

/** A page about an account that selects from `ref` by the constants above. */
interface AboutPage<R, F extends Columns> extends Select<R> {
  /** Facts about the whole page. */
  readonly facts?: F;
  /** Queries that both refer to. */
  readonly queries?: NamedQueries;
}

/** A statement for each way to name an account. */
type AboutRef<P extends object, R, H extends Referent> = Readonly<
  Record<RefKind, Statement<P & { ref: string }, Headed<H, R>>>
>;

type NoFacts = Record<never, never>;
type Head<F extends Columns> = Referent & RowOf<F>;
type Build<R, F extends Columns> = (context: RefContext) => AboutPage<R, F>;

const REFERENT = {
  ref_address: sql<Address>`address`,
  ref_list: sql<string | null>`list`,
  ref_primary_list: sql<string | null>`primary_list`,
};

/**
 * Statements about an account that a request names: they resolve the reference and select a page of rows, in one round
 * trip and one snapshot. With parameters of type `P`: `aboutRef<P>()(…)`.
 */
export function aboutRef<P extends object>(): <R, F extends Columns = NoFacts>(
  page: Build<R, F>,
) => AboutRef<P, R, Head<F>>;
export function aboutRef<R, F extends Columns = NoFacts>(page: Build<R, F>): AboutRef<object, R, Head<F>>;
export function aboutRef(page?: Build<unknown, Columns>) {
  return page === undefined ? createAboutRef : createAboutRef(page);
}

function createAboutRef<R, F extends Columns>(page: Build<R, F>) {
  const by = (kind: RefKind) =>
    statement((_db, dialect, isShort) => {
      const { facts, queries, ...rows } = page({ dialect, isShort, kind });
      // Safe: only the type of absent facts is not known.
      const head = select({ ...REFERENT, ...(facts as F) }, sql`from ref`);
      return withQueries({ ref: selectRef(kind), ...queries }, withHead(head, rows)).query;
    });
  return { account: by('account'), list: by('list') };
}

/** What such a statement has found. */
interface About<R, H extends Referent> {
  readonly referent: H;
  readonly rows: readonly R[];
}

/** Runs a statement of `aboutRef`. Rejects with a `ProblemError` for an unknown list. */
export async function readAbout<P extends object, R, H extends Referent>(
  reader: Reader,
  query: AboutRef<P, R, H>,
  ref: AccountRef,
  params: P,
): Promise<About<R, H>> {
  return aboutOf(ref, await reader.all(query[ref.kind], paramsOf(params, ref)));
}

/** Streams the rows of a statement of `aboutRef`: at least one chunk, which has no rows if there are none. */
export async function* streamAbout<P extends object, R, H extends Referent>(
  reader: StreamReader,
  query: AboutRef<P, R, H>,
  ref: AccountRef,
  params: P,
): AsyncGenerator<About<R, H>> {
  let referent: About<R, H>['referent'] | undefined;
  for await (const chunk of reader.stream(query[ref.kind], paramsOf(params, ref))) {
    if (referent === undefined) {
      const first = aboutOf(ref, chunk);
      referent = first.referent;
      yield first;
      // Safe: only the first row has the columns of the head.
    } else yield { referent, rows: chunk as readonly object[] as readonly R[] };
  }
  if (referent === undefined) throw unknownRef(ref);
}

function paramsOf<P extends object>(params: P, ref: AccountRef) {
  return { ...params, ref: ref.kind === 'account' ? ref.account : ref.list };
}

function aboutOf<R, H extends Referent>(ref: AccountRef, found: readonly Headed<H, R>[]): About<R, H> {
  const { head: referent, rows } = splitHead(found);
  // Without a referent, the first row is one of the page: some have a row for any account.
  if (referent === undefined || referent.ref_address === null) throw unknownRef(ref);
  return { referent, rows };
}

const nothing = aboutRef(() => select({ one: sql<number>`1` }, sql`where 1 = 0`));

/** Resolves a reference; rejects with a `ProblemError` if the list is unknown. */
export async function readReferent(reader: Reader, ref: AccountRef): Promise<Referent> {
  return (await readAbout(reader, nothing, ref, {})).referent;
}

/** The same for the address alone, which an address itself needs no query for. */
export async function resolveRef(reader: Reader, ref: AccountRef): Promise<Address> {
  return ref.kind === 'account' ? ref.account : (await readReferent(reader, ref)).ref_address;
}

function unknownRef(ref: AccountRef): Error {
  return ref.kind === 'list'
    ? new ProblemError('unknown-list', `there is no list ${ref.list}`)
    : new Error(`a query about ${ref.account} returned no row, but every address is an account`);
}
