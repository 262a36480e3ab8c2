import { sql } from 'kysely';
import { batches } from '../../async/batches.ts';
import { turnOfOwn } from '../../async/turn-of-own.ts';
import { normaliseName } from '../../names/normalise-name.ts';
import type { NameResolver } from '../../names/on-demand/name-resolver.ts';
import { UnresolvableError } from '../../names/profile-source.ts';
import type { Address } from '../../protocol/hex.ts';
import { RemoteError } from '../../remote/remote-error.ts';
import { param } from '../../store/params.ts';
import { statement } from '../../store/statement.ts';
import type { Reader } from '../../store/store.ts';

/** Names of one request that are resolved at the same time: fewer than the source allows, so that others get a turn. */
const NAMES_AT_ONCE = 3;
/** For all names of a request together. */
const DEADLINE_MS = 10_000;
/** Longer texts are no names. Normalising is the most expensive step, and takes time by length. */
const MAX_NAME_LENGTH = 255;
/** Texts that are normalised per turn of the event loop: a few milliseconds for the longest. */
const PARSED_AT_ONCE = 5;

/** An account that a client asks about. */
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

/** The account of each text; null if no account holds the name. */
export type Resolved = ReadonlyMap<string, Address | null>;

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

/** Resolves many names. `isAborted` is asked between calls to the source. */
export type ResolveMany = (reader: Reader, names: Names, isAborted: () => boolean) => Promise<Resolved>;

/** Without a name source, names are looked up in stored profiles. An outage of the source rejects with a `RemoteError`. */
export function createResolveMany(names: NameResolver | null): ResolveMany {
  const resolveNames: ResolveNames = names === null ? readHolders : createAskSource(names);
  return async (reader, nameOf, isAborted) => {
    if (nameOf.size === 0) return new Map();
    const holders = await resolveNames(reader, [...new Set(nameOf.values())], isAborted);
    return new Map([...nameOf].map(([text, name]) => [text, holders.get(name) ?? null]));
  };
}

type ResolveNames = (reader: Reader, names: readonly string[], isAborted: () => boolean) => Promise<Resolved>;

const namedProfiles = statement<{ names: string }, NamedProfile>((db, dialect) =>
  db
    .selectFrom('profiles')
    .select((eb) => ['name', eb.ref('address').$castTo<Address>().as('address'), 'fresh'])
    .where('name', 'in', dialect.textsOf(param('names')))
    // The literal lets the planner use the partial index on profiles with a name.
    .where('name', '<>', sql.lit('')),
);

async function readHolders(reader: Reader, names: readonly string[]): Promise<Resolved> {
  const found = await reader.all(namedProfiles, { names: JSON.stringify(names) });
  // The holder comes last, see `holderOfName`.
  found.sort((a, b) => a.fresh - b.fresh || (a.address < b.address ? 1 : -1));
  return new Map(found.map(({ name, address }) => [name, address]));
}

interface NamedProfile {
  readonly name: string;
  readonly address: Address;
  readonly fresh: number;
}

function createAskSource(resolver: NameResolver): ResolveNames {
  /** A name that cannot be resolved because of its own contract is no outage, and must not fail the others. */
  const addressOf = (name: string) =>
    resolver.addressOf(name, { fresh: false }).catch((error: unknown) => {
      if (error instanceof UnresolvableError) return null;
      throw error;
    });
  return async (_reader, names, isAborted) => {
    const resolved = new Map<string, Address | null>();
    const end = performance.now() + DEADLINE_MS;
    for await (const some of batches(names, NAMES_AT_ONCE)) {
      if (isAborted()) break;
      if (performance.now() > end) throw new RemoteError('names', 'batch', { kind: 'timeout' });
      const addresses = await Promise.all(some.map(addressOf));
      for (const [i, name] of some.entries()) resolved.set(name, addresses[i] ?? null);
    }
    return resolved;
  };
}
