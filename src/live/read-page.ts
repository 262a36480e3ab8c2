import { turnOfOwn } from '../async/turn-of-own.ts';
import type { Reader } from '../store/store.ts';
import type { Entry } from './entry.ts';
import { type EventFilter, passes } from './filter.ts';
import type { ChainPosition, Position, PositionCodec } from './position.ts';
import { type Finality, readHeads, readLogBefore, readNow } from './read-logs.ts';
import { type ReplayOptions, replay } from './replay.ts';

/** Logs that are read for one page: with a narrow filter, a page may have fewer events than its limit. */
const MAX_LOGS = 50_000;
const PAGE_LOGS = 500;

export interface PageRequest {
  readonly filter: EventFilter;
  readonly finality: Finality;
  readonly withEns: boolean;
  /** Null for now: an empty page. */
  readonly since: Position | null;
  readonly limit: number;
  /** The number of events of a page that ends now; null for one that begins at `since`. */
  readonly last: number | null;
}

export interface EntryPage {
  readonly entries: readonly Entry[];
  readonly position: Position;
  /** Whether more may follow. */
  readonly hasMore: boolean;
}

/** A page of events. Null while the graph is loaded. */
export async function readEntryPage(
  reader: Reader,
  codec: PositionCodec,
  request: PageRequest,
): Promise<EntryPage | null> {
  const { filter, finality, withEns, since, limit, last } = request;
  const heads = await readHeads(reader);
  if (heads.isLoading) return null;
  const now = await readNow(reader, heads, finality);
  if (last !== null) return readLastEntries(reader, codec, request, now, last);
  if (since === null) return { entries: [], position: now, hasMore: false };
  const entries: Entry[] = [];
  let position = since;
  let logs = 0;
  const range = { reader, codec, withEns, from: since, to: now, withUndo: finality === 'latest' };
  const steps = replay({ ...range, ...optionsOf(filter) });
  for await (const step of steps) {
    for (const entry of step.entries) {
      if (entries.length === limit) return { entries, position, hasMore: true };
      entries.push(entry);
      position = entry.position;
    }
    position = step.position;
    logs += step.logs;
    if (step.isLoading || logs > MAX_LOGS) return { entries, position, hasMore: true };
    await turnOfOwn();
  }
  return { entries, position, hasMore: false };
}

const optionsOf = (filter: EventFilter) =>
  ({
    pageLogs: () => PAGE_LOGS,
    watched: () => (filter.role === 'source' ? [] : (filter.accounts ?? [])),
    wants: (facts, holds) => passes(filter, facts, holds),
  }) satisfies Partial<ReplayOptions>;

/** How many logs of all chains the last events are looked for in, one after the other. */
const WINDOWS = [500, 5_000, MAX_LOGS];

/** The last events up to a position: with a narrow filter, those among the last logs, of which each chain has its share. */
async function readLastEntries(
  reader: Reader,
  codec: PositionCodec,
  { filter, withEns }: PageRequest,
  to: Position,
  count: number,
): Promise<EntryPage | null> {
  for (const window of WINDOWS) {
    const from = new Map<number, ChainPosition>();
    /** Before it, a chain may have events that were not read. */
    let start = Number.NEGATIVE_INFINITY;
    for (const [chain, place] of to) {
      const before = await readLogBefore(reader, chain, place, Math.ceil(window / to.size));
      if (before === undefined) continue;
      from.set(chain, before.place);
      start = Math.max(start, before.time);
    }
    let entries: Entry[] = [];
    for await (const step of replay({ reader, codec, withEns, from, to, withUndo: false, ...optionsOf(filter) })) {
      if (step.isLoading) return null;
      entries = [...entries, ...step.entries].slice(-count);
      await turnOfOwn();
    }
    const isEnough = entries.length === count && (entries[0]?.event?.time ?? 0) > start;
    if (isEnough || from.size === 0 || window === MAX_LOGS) return { entries, position: to, hasMore: false };
  }
  return null;
}
