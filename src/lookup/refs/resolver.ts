import { sql } from 'kysely';
import { batches } from '../../async/batches.ts';
import { settleAll } from '../../async/settle-all.ts';
import { turnOfOwn } from '../../async/turn-of-own.ts';
import type { BadgeSource } from '../../badges/badge-source.ts';
import { normaliseName } from '../../names/normalise-name.ts';
import { type NameResolver, readHolder } from '../../names/on-demand/name-resolver.ts';
import type { ProfileRefresher } from '../../names/on-demand/profile-refresher.ts';
import { UnresolvableError } from '../../names/profile-source.ts';
import type { Address } from '../../protocol/hex.ts';
import { RemoteError } from '../../remote/remote-error.ts';
import { param } from '../../store/params.ts';
import { readState } from '../../store/state.ts';
import { statement } from '../../store/statement.ts';
import type { Reader } from '../../store/store.ts';
import { type AccountParameter, type AccountRef, ProblemError, readReferent } from './account-ref.ts';

/** An account that a client asks about, among many. */
export interface Other {
  /** As the client gave it. */
  readonly text: string | null;
  /** Null if it could not be resolved. */
  readonly address: Address | null;
}

/** The different addresses that could be resolved. */
export function addressesOf(others: readonly Other[]): Address[] {
  return [...new Set(others.flatMap(({ address }) => (address === null ? [] : [address])))];
}

/** The names among texts that a client has given, by text. */
type Names = ReadonlyMap<string, string>;

/** Longer texts are no names. Normalising is the most expensive step, and takes time by length. */
const MAX_NAME_LENGTH = 255;
/** Texts that are normalised per turn of the event loop: a few milliseconds for the longest. */
const PARSED_AT_ONCE = 5;

export async function normaliseMany(texts: ReadonlySet<string>): Promise<Names> {
  const nameOf = new Map<string, string>();
  for await (const some of batches(texts, PARSED_AT_ONCE)) {
    await turnOfOwn();
    for (const text of some) {
      const name = text.length > MAX_NAME_LENGTH ? null : normaliseName(text);
      if (name !== null) nameOf.set(text, name);
    }
  }
  return nameOf;
}

export interface ResolverOptions {
  /** Null without a name source: names are looked up in stored profiles, however old. */
  readonly names: NameResolver | null;
  readonly profiles: ProfileRefresher;
  /** Null without a badge source: only stored badges are returned. */
  readonly badges: BadgeSource | null;
}

/** The account of each text; null if no account holds the name. */
type Resolved = ReadonlyMap<string, Address | null>;

/** Resolves names, and implements `cache=fresh`. An outage of a source rejects with a `RemoteError`. */
export function createResolver({ names, profiles, badges }: ResolverOptions) {
  async function resolveName(reader: Reader, name: string, isFresh: boolean): Promise<Address> {
    const account =
      names === null ? (await readHolder(reader, name))?.address : await names.addressOf(name, { fresh: isFresh });
    if (account) return account;
    if (names !== null) throw new ProblemError('unknown-name', `no account holds the name ${name}`);
    // The names of a generated graph are all stored.
    if ((await readState(reader))('is_demo') === 1) {
      throw new ProblemError(
        'unknown-name',
        `the data is a generated demo graph, in which no account has the name ${name}`,
      );
    }
    const detail = `this service does not resolve names, and no stored profile has the name ${name}`;
    throw new ProblemError('names-not-resolved', detail);
  }

  /** Null during an outage of the name source: stored data may still answer the request. */
  async function findFresh(reader: Reader, ref: AccountParameter | AccountRef): Promise<Address | null> {
    try {
      if (ref.kind === 'name') return await resolveName(reader, ref.name, true);
      return ref.kind === 'account' ? ref.account : (await readReferent(reader, ref)).ref_address;
    } catch (error) {
      if (error instanceof RemoteError) return null;
      throw error;
    }
  }

  return {
    /** The name source decides whether a stored address is fresh enough. */
    resolveName: (reader: Reader, name: string) => resolveName(reader, name, false),

    /** The accounts of many names. `isAborted` is asked between calls to the source. */
    async resolveMany(reader: Reader, nameOf: Names, isAborted: () => boolean): Promise<Resolved> {
      if (nameOf.size === 0) return new Map();
      const different = [...new Set(nameOf.values())];
      const holders =
        names === null ? await readHolders(reader, different) : await askSource(names, different, isAborted);
      return new Map([...nameOf].map(([text, name]) => [text, holders.get(name) ?? null]));
    },

    /**
     * Fetches the profile of an account again, and with `withBadges` its badges. During an outage, stored data is kept.
     * Returns the account; null if there is no source to ask or the name source cannot say.
     */
    async renew(reader: Reader, ref: AccountParameter | AccountRef, withBadges: boolean): Promise<Address | null> {
      const asked = withBadges ? badges : null;
      if (names === null && asked === null) return null;
      const account = await findFresh(reader, ref);
      if (account === null) return null;
      // Waits for both: an outage of one source must not cancel the other.
      await settleAll([profiles.renew(account), Promise.resolve(asked?.collectionsOf(account, { fresh: true }))]);
      return account;
    },
  };
}

const namedProfiles = statement<{ names: string }>()((db, dialect) =>
  db
    .selectFrom('profiles')
    .select((eb) => ['name', eb.ref('address').$castTo<Address>().as('address'), 'fresh'])
    .where('name', 'in', dialect.textsOf(param('names')))
    // The literal lets the planner use the partial index on profiles with a name.
    .where('name', '<>', sql.lit('')),
);

async function readHolders(reader: Reader, names: readonly string[]): Promise<Resolved> {
  const found = await reader.all(namedProfiles, { names: JSON.stringify(names) });
  // The holder comes last, see `readHolder`.
  found.sort((a, b) => a.fresh - b.fresh || (a.address < b.address ? 1 : -1));
  return new Map(found.map(({ name, address }) => [name, address]));
}

/** Names of one request that are resolved at the same time: fewer than the source allows, so that others get a turn. */
const NAMES_AT_ONCE = 3;
/** For all names of a request together. */
const DEADLINE_MS = 10_000;

async function askSource(source: NameResolver, names: readonly string[], isAborted: () => boolean): Promise<Resolved> {
  /** A name that cannot be resolved because of its own contract is no outage, and must not fail the others. */
  const addressOf = (name: string) =>
    source.addressOf(name, { fresh: false }).catch((error: unknown) => {
      if (error instanceof UnresolvableError) return null;
      throw error;
    });
  const resolved = new Map<string, Address | null>();
  const end = performance.now() + DEADLINE_MS;
  for await (const some of batches(names, NAMES_AT_ONCE)) {
    if (isAborted()) break;
    if (performance.now() > end) throw new RemoteError('names', 'batch', { kind: 'timeout' });
    const addresses = await Promise.all(some.map(addressOf));
    for (const [i, name] of some.entries()) resolved.set(name, addresses[i] ?? null);
  }
  return resolved;
}
