import { turnOfOwn } from '../async/turn-of-own.ts';
import type { Reader } from '../store/store.ts';
import type { Entry } from './entry.ts';
import { type EventFilter, passes } from './filter.ts';
import type { Position, PositionCodec } from './position.ts';
import { type Finality, readHeads, readNow } from './read-logs.ts';
import { replay } from './replay.ts';

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
  { filter, finality, withEns, since, limit }: PageRequest,
): Promise<EntryPage | null> {
  const heads = await readHeads(reader);
  if (heads.isLoading) return null;
  const now = await readNow(reader, heads, finality);
  if (since === null) return { entries: [], position: now, hasMore: false };
  const entries: Entry[] = [];
  let position = since;
  let logs = 0;
  const steps = replay({
    ...{ reader, codec, withEns, from: since, to: now, withUndo: finality === 'latest' },
    pageLogs: () => PAGE_LOGS,
    watched: () => (filter.role === 'source' ? [] : (filter.accounts ?? [])),
    wants: (facts, holds) => passes(filter, facts, holds),
  });
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
