import type { Reader } from '../store/store.ts';
import { Entry } from './entry.ts';
import { findUndo, MAX_KNOWN_BLOCKS, type Undo } from './find-undo.ts';
import { type ChainPosition, isSamePlace, type Position, type PositionCodec } from './position.ts';
import { type EventOptions, readEvents } from './read-events.ts';
import { type Finality, type Heads, NO_BOUND, readHeads, readNow } from './read-logs.ts';

/** The newest entries that are kept for streams which are a little late. */
const MAX_ENTRIES = 4_096;
const MAX_BYTES = 16 * 2 ** 20;
/** Logs that are read at once: 2 ms. */
const PAGE_LOGS = 250;

export interface FeedOptions extends Pick<EventOptions, 'watched'> {
  readonly reader: Reader;
  readonly codec: PositionCodec;
  readonly finality: Finality;
  readonly withEns: () => boolean;
  /** Called when there are new entries. */
  readonly onEntries: () => void;
}

export type Feed = ReturnType<typeof createFeed>;

/** Where the feed is: before the entry `next`. */
export interface FeedPlace {
  readonly next: number;
  readonly position: Position;
}

/**
 * Reads the newest logs once for all streams, from where the database is when it starts. Entries are numbered; the last ones
 * are kept.
 */
export function createFeed({ reader, codec, finality, watched, withEns, onEntries }: FeedOptions) {
  const entries: Entry[] = [];
  /** The number of the first kept entry. */
  let first = 0;
  let bytes = 0;
  /** Null until the database has been read, and while it is loaded for the first time. */
  let position: Map<number, ChainPosition> | null = null;
  let heads: Heads | null = null;
  /** The last log of each block, by chain, for finding forks. */
  const known = new Map<number, ChainPosition[]>();
  let page: Promise<unknown> = Promise.resolve();
  const options: Omit<EventOptions, 'withEns'> = { watched, wants: () => true };

  function append(entry: Entry): void {
    entries.push(entry);
    bytes += entry.size;
    // Not one by one: shifting an array takes time by its length.
    if (entries.length > 2 * MAX_ENTRIES || (bytes > MAX_BYTES && entries.length > 1)) drop();
  }

  function drop(): void {
    let dropped = 0;
    while (dropped < entries.length - 1 && (entries.length - dropped > MAX_ENTRIES || bytes > MAX_BYTES / 2)) {
      bytes -= entries[dropped]?.size ?? 0;
      dropped += 1;
    }
    entries.splice(0, dropped);
    first += dropped;
  }

  function move(chain: number, place: ChainPosition | undefined): Position {
    const next = new Map(position);
    if (place === undefined) next.delete(chain);
    else next.set(chain, place);
    position = next;
    if (place === undefined) return next;
    const blocks = known.get(chain) ?? [];
    known.set(chain, blocks);
    if (blocks.at(-1)?.block === place.block) blocks.pop();
    blocks.push(place);
    if (blocks.length > MAX_KNOWN_BLOCKS) blocks.shift();
    return next;
  }

  function rewind(chain: number, { facts, place, isHistory }: Undo): void {
    known.set(
      chain,
      (known.get(chain) ?? []).filter(({ block }) => block < (place?.block ?? 0)),
    );
    const next = move(chain, place);
    if (finality === 'latest' || isHistory) append(new Entry(codec, next, facts));
  }

  /** Reads the new logs of a chain. False if logs wait for their fold. */
  async function readChain(chain: number, to: Pick<ChainPosition, 'block' | 'index'>): Promise<boolean> {
    for (;;) {
      const after = position?.get(chain);
      const reading = readEvents(reader, { chain, after, to, limit: PAGE_LOGS }, { ...options, withEns: withEns() });
      page = reading.catch(() => undefined);
      const { events, last, isComplete, isLost, isLoading } = await reading;
      if (isLoading) return false;
      if (isLost && after !== undefined) {
        rewind(chain, await findUndo(reader, chain, after, known.get(chain)));
        onEntries();
        continue;
      }
      for (const event of events) append(new Entry(codec, move(chain, event.place), event));
      if (last !== undefined && !isSamePlace(last, position?.get(chain))) move(chain, last);
      onEntries();
      if (isComplete) return true;
    }
  }

  return {
    /** Reads what is new. Call it again only when it has ended. */
    async read(): Promise<void> {
      const found = await readHeads(reader);
      heads = found;
      if (found.isLoading) return;
      if (position === null) {
        const now = await readNow(reader, found, finality);
        position = new Map(now);
        for (const [chain, place] of now) move(chain, place);
        return;
      }
      for (const chain of new Set([...found.chains.keys(), ...position.keys()])) {
        const head = found.chains.get(chain);
        const place = position.get(chain);
        if (isSamePlace(head?.last, place)) {
          // Its block is stored, so what is final now is below it or on its fork.
          if (place !== undefined && head !== undefined && place.final !== head.final)
            move(chain, { ...place, final: head.final });
          continue;
        }
        const to = finality === 'latest' ? NO_BOUND : { ...NO_BOUND, block: head?.final ?? 0 };
        if (!(await readChain(chain, to))) return;
      }
    },
    /** Forgets everything: it starts again where the database is then. */
    stop(): void {
      first += entries.length;
      entries.length = 0;
      bytes = 0;
      position = null;
      heads = null;
      known.clear();
    },
    heads: () => heads,
    /** Null until the first load is complete. */
    place: (): FeedPlace | null => position && { next: first + entries.length, position },
    /** Undefined if it is not kept any more, or does not exist yet. */
    entry: (number: number): Entry | undefined => entries[number - first],
    /** Resolves when no page is being read that began before. */
    pageEnd: () => page,
  };
}
