import { type RawBuilder, sql } from 'kysely';
import type { Address } from '../../protocol/hex.ts';
import type { Dialect } from '../../store/dialect.ts';
import { holderOfName } from '../../store/holder-of-name.ts';
import { param } from '../../store/params.ts';
import type { ReadBuilder } from '../../store/query-builder.ts';
import { type Statement, selectRows, statement } from '../../store/statement.ts';
import type { Reader, StreamReader } from '../../store/store.ts';
import { ProblemError } from '../problem.ts';

export type RefKind = 'account' | 'list' | 'name';

/** How a request names an account: by address, by list or by name. */
export type AccountRef = AccountParameter | ListRef;

/** How a client names an account: by address or by normalised name. */
export type AccountParameter =
  | { readonly kind: 'account'; readonly account: Address }
  | { readonly kind: 'name'; readonly name: string };

export interface ListRef {
  readonly kind: 'list';
  readonly list: string;
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

/** One row with the columns that the constants above select; none for an unknown list or name. */
function selectRef(db: ReadBuilder, kind: RefKind): RawBuilder<unknown> {
  const account = sql`accounts.id as account`;
  const active = sql`active_slot as slot, active_list as list, active_list as primary_list`;
  switch (kind) {
    case 'account':
      return sql`select given.address, ${account}, ${active} from (select ${param('ref')} as address) as given
        left join accounts on accounts.address = given.address`;
    case 'name':
      return sql`select holder.address, ${account}, ${active} from ${holderOfName(db).select('address').as('holder')}
        left join accounts on accounts.address = holder.address`;
    case 'list':
      return sql`select accounts.address, ${account}, lists.slot, token_id as list, active_list as primary_list
        from lists join accounts on accounts.id = lists.account where token_id = ${param('ref')}`;
  }
}

/** A statement for each way to name an account. */
type AboutRef<P extends object, R extends object> = Readonly<
  Record<RefKind, Statement<P & { ref: string }, Referent & Nullable<R>>>
>;

/**
 * Statements about an account that a request names: they resolve the reference and select a page of rows, in one round
 * trip and one snapshot. `page` selects from `ref` by the constants above.
 */
export function aboutRef<P extends object, R extends object>(
  page: (context: { readonly dialect: Dialect; readonly kind: RefKind }) => RawBuilder<unknown>,
): AboutRef<P, R> {
  const by = (kind: RefKind): AboutRef<P, R>[RefKind] =>
    statement((db, dialect) => {
      const found = sql`with ref as (${selectRef(db, kind)})
        select ref.address as ref_address, ref.list as ref_list, ref.primary_list as ref_primary_list, page.*
        from ref left join (${page({ dialect, kind })}) as page on 1 = 1`;
      return selectRows(db, found);
    });
  return { account: by('account'), name: by('name'), list: by('list') };
}

/** Without a row, the columns of a page are null. */
type Nullable<R> = { readonly [C in keyof R]: R[C] | null };

/** What such a statement has found. */
export interface About<R> {
  readonly referent: Referent;
  readonly rows: readonly R[];
}

/** Runs a statement of `aboutRef`. Rejects with a `ProblemError` for an unknown list or name. */
export async function readAbout<P extends object, R extends object>(
  reader: Reader,
  query: AboutRef<P, R>,
  ref: AccountRef,
  params: P,
): Promise<About<R>> {
  return aboutOf(ref, await reader.all(query[ref.kind], paramsOf(params, ref)));
}

/** Streams the rows of a statement of `aboutRef`: at least one chunk, which has no rows if there are none. */
export async function* streamAbout<P extends object, R extends object>(
  reader: StreamReader,
  query: AboutRef<P, R>,
  ref: AccountRef,
  params: P,
): AsyncGenerator<About<R>> {
  let isKnown = false;
  for await (const rows of reader.stream(query[ref.kind], paramsOf(params, ref))) {
    isKnown = true;
    yield aboutOf(ref, rows);
  }
  if (!isKnown) throw unknownRef(ref);
}

function paramsOf<P extends object>(params: P, ref: AccountRef) {
  return { ...params, ref: textOf(ref), name: textOf(ref) };
}

function aboutOf<R extends object>(ref: AccountRef, rows: readonly (Referent & Nullable<R>)[]): About<R> {
  const [first] = rows;
  if (first === undefined) throw unknownRef(ref);
  // Every page selects a column that is null only if there is no row.
  const isEmpty = rows.length === 1 && isNullRow(first);
  return { referent: first, rows: isEmpty ? [] : (rows as readonly object[] as readonly R[]) };
}

function isNullRow(row: object): boolean {
  return Object.entries(row).every(([column, value]) => value === null || column.startsWith('ref_'));
}

function textOf(ref: AccountRef): string {
  switch (ref.kind) {
    case 'account':
      return ref.account;
    case 'list':
      return ref.list;
    case 'name':
      return ref.name;
  }
}

const nothing = aboutRef<object, { one: number }>(() => sql`select 1 as one`);

/** Resolves a reference; rejects with a `ProblemError` if the list or name is unknown. */
export async function readReferent(reader: Reader, ref: AccountRef): Promise<Referent> {
  return (await readAbout(reader, nothing, ref, {})).referent;
}

/** The same for the address alone, which an address itself needs no query for. */
export async function resolveRef(reader: Reader, ref: AccountRef): Promise<Address> {
  return ref.kind === 'account' ? ref.account : (await readReferent(reader, ref)).ref_address;
}

function unknownRef(ref: AccountRef): Error {
  switch (ref.kind) {
    case 'list':
      return new ProblemError('unknown-list', `there is no list ${ref.list}`);
    case 'name':
      // With a name source, no name reaches the statement: see `createResolveAccount`.
      return new ProblemError(
        'names-not-resolved',
        `this service does not resolve names, and no stored profile has the name ${ref.name}`,
      );
    case 'account':
      return new Error(`a query about ${ref.account} returned no row, but every address is an account`);
  }
}
