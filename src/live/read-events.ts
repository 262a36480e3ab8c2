import { sql } from 'kysely';
import { ensJson } from '../names/profile.ts';
import type { Address } from '../protocol/hex.ts';
import { param, rowCount } from '../store/params.ts';
import { columns, select, statement, statements } from '../store/statement.ts';
import type { Reader } from '../store/store.ts';
import { buildEvent, type Concerns, type EventFacts } from './build-event.ts';
import { type ChainPosition, hashPrefix } from './position.ts';
import { type LogPage, readLogPage } from './read-logs.ts';

interface EventProfile {
  readonly name: string;
  readonly avatar: string;
  /** As JSON; null if it was not read. */
  readonly ens: string | null;
}

/** An event with all that an answer shows, except the position of a stream. */
export interface ReadEvent {
  readonly facts: EventFacts;
  /** Unix seconds. */
  readonly time: number;
  readonly place: ChainPosition;
  readonly profile: EventProfile;
  /** Whether a slot that the event concerns has a record of one of these accounts. */
  readonly holds: (accounts: ReadonlySet<Address>) => boolean;
}

export interface EventPage extends Omit<LogPage, 'rows'> {
  readonly events: readonly ReadEvent[];
  /** The last log that was read; undefined if there was none. */
  readonly last: ChainPosition | undefined;
  readonly logs: number;
  /** Whether no more logs were in the range. */
  readonly isComplete: boolean;
}

export interface EventOptions {
  readonly withEns: boolean;
  /** The accounts of the streams that look at the records of slots, see `watchesTargets`. */
  readonly watched: () => Iterable<Address>;
  /** Of other events, nothing more is read. */
  readonly wants: (facts: EventFacts, holds: ReadEvent['holds']) => boolean;
}

const NO_PROFILE: EventProfile = { name: '', avatar: '', ens: null };
const holdsNone: ReadEvent['holds'] = () => false;

/** The events of a chain after a position, up to another one. */
export async function readEvents(
  reader: Reader,
  range: {
    readonly chain: number;
    readonly after: ChainPosition | undefined;
    readonly to: Pick<ChainPosition, 'block' | 'index'>;
    readonly limit: number;
  },
  { withEns, watched, wants }: EventOptions,
): Promise<EventPage> {
  const { chain, after, to, limit } = range;
  const { rows, ...page } = await readLogPage(reader, chain, after, to, limit);
  const events: { -readonly [K in keyof ReadEvent]: ReadEvent[K] }[] = [];
  let last: ChainPosition | undefined;
  for (const row of page.isLost || page.isLoading ? [] : rows) {
    last = { block: row.block, index: row.index, hash: hashPrefix(row.hash), final: page.final, history: page.history };
    const built = buildEvent(chain, row);
    if (built === null) continue;
    const holds = built.concerns === null ? holdsNone : await readHolds(reader, built.concerns, watched);
    if (!wants(built.facts, holds)) continue;
    events.push({ facts: built.facts, time: row.time, place: last, holds, profile: NO_PROFILE });
  }
  const profiles = await readProfiles(reader, new Set(events.map(({ facts }) => facts.account)), withEns);
  for (const event of events) event.profile = profiles(event.facts.account);
  return { ...page, events, last, logs: rows.length, isComplete: rows.length < limit };
}

const profileOf = statements((withEns: boolean) =>
  statement<{ addresses: string }>()((_db, dialect) => {
    const { address, name, avatar, ens } = columns('profiles');
    const shown = { address, name, avatar, ens: withEns ? ens : sql<string | null>`null` };
    return select(shown, sql`from profiles where address in ${dialect.textsOf(param('addresses'))}`).query;
  }),
);

async function readProfiles(reader: Reader, accounts: ReadonlySet<string>, withEns: boolean) {
  const addresses = JSON.stringify([...accounts].filter(Boolean));
  const rows = accounts.size === 0 ? [] : await reader.all(profileOf(withEns), { addresses });
  const known = new Map(rows.map((row) => [row.address, row]));
  return (account: string): EventProfile => {
    const { name, avatar, ens = null } = known.get(account as Address) ?? NO_PROFILE;
    return { name, avatar, ens: withEns && account !== '' ? ensJson(ens, account as Address) : null };
  };
}

interface SlotsParams {
  readonly slots: string;
  readonly lists: string;
}

/** A slot with more records is asked for the accounts of the streams instead. */
const MAX_RECORDS = 2_000;
/** Accounts that are asked for at once. */
const MAX_ASKED = 5_000;

const holders = statements((isAsked: boolean) =>
  statement<SlotsParams & { accounts: string; limit: number }>()((_db, dialect) => {
    const slots = sql`(select slots.id from ${dialect.textsOf(param('slots'))} as given
        ${dialect.leftJoinOne('slots', sql`slots.key = given.text`)}
      union all select lists.slot from ${dialect.textsOf(param('lists'))} as given
        ${dialect.leftJoinOne('lists', sql`lists.token_id = given.text`)})`;
    const asked = sql`accounts.address in ${dialect.textsOf(param('accounts'))}`;
    return select(
      { address: columns('accounts').address },
      sql`from ${slots} as concerned join records on records.slot = concerned.id
        join accounts on accounts.id = records.account ${isAsked ? sql`where ${asked}` : sql``}
        limit ${rowCount('limit')}`,
    ).query;
  }),
);

/** Reads the records of the slots that an event concerns, if a stream looks at them. */
async function readHolds(
  reader: Reader,
  concerns: Concerns,
  watched: EventOptions['watched'],
): Promise<ReadEvent['holds']> {
  if (concerns.slots.length === 0 && concerns.lists.length === 0) return holdsNone;
  const asked = [...watched()];
  if (asked.length === 0) return holdsNone;
  const params = { slots: JSON.stringify(concerns.slots), lists: JSON.stringify(concerns.lists) };
  const all = await reader.all(holders(false), { ...params, accounts: '[]', limit: MAX_RECORDS + 1 });
  const held = new Set(
    all.length > MAX_RECORDS ? await askRecords(reader, params, asked) : all.map(({ address }) => address),
  );
  return (accounts) => {
    const [few, many] = accounts.size < held.size ? [accounts, held] : [held, accounts];
    for (const account of few) if (many.has(account)) return true;
    return false;
  };
}

async function askRecords(reader: Reader, params: SlotsParams, asked: readonly Address[]): Promise<Address[]> {
  const found: Address[] = [];
  for (let i = 0; i < asked.length; i += MAX_ASKED) {
    const accounts = JSON.stringify(asked.slice(i, i + MAX_ASKED));
    const rows = await reader.all(holders(true), { ...params, accounts, limit: MAX_ASKED * 4 });
    for (const { address } of rows) found.push(address);
  }
  return found;
}
