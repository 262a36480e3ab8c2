import type { Reader } from '../store/store.ts';
import { Entry } from './entry.ts';
import { findUndo } from './find-undo.ts';
import { type ChainPosition, isSamePlace, type Position, type PositionCodec } from './position.ts';
import { type EventOptions, type EventPage, type ReadEvent, readEvents } from './read-events.ts';

export interface ReplayOptions extends EventOptions {
  readonly reader: Reader;
  readonly codec: PositionCodec;
  readonly from: Position;
  /** In each chain, nothing above is read. */
  readonly to: Position;
  /** Whether to say which events are void if a block of `from` is not stored any more. */
  readonly withUndo: boolean;
  /** Logs of a chain that are read at once. */
  readonly pageLogs: () => number;
}

/** Entries of a stream, and how far it is after them. */
export interface Step {
  readonly entries: readonly Entry[];
  readonly position: Position;
  /** How many logs were read for it. */
  readonly logs: number;
  /** Whether logs wait for their fold, so that nothing more can be read now. Then it is the last step. */
  readonly isLoading: boolean;
}

interface Lane {
  readonly chain: number;
  readonly to: Pick<ChainPosition, 'block' | 'index'>;
  events: readonly ReadEvent[];
  next: number;
  /** Where the chain is when `events` are sent. */
  end: ChainPosition | undefined;
  isComplete: boolean;
  /** The page after `events`, which is read meanwhile. */
  following: Promise<EventPage> | null;
}

const EMPTY = { events: [], next: 0, isComplete: false, following: null };
/** A chain that has no logs is read all the same, to find out whether its position is still valid. */
const NOTHING = { block: -1, index: -1 };

/**
 * The events after a position, merged by time, in steps: each takes a page of one chain, while the next one is read.
 */
export async function* replay(options: ReplayOptions): AsyncGenerator<Step> {
  const { reader, codec, from, to, withUndo } = options;
  let position = from;
  const lanes = [...new Set([...to.keys(), ...from.keys()])]
    .filter((chain) => !isSamePlace(to.get(chain), from.get(chain)))
    .map((chain): Lane => ({ ...EMPTY, chain, to: to.get(chain) ?? NOTHING, end: from.get(chain) }));
  const move = (chain: number, place: ChainPosition | undefined) => {
    const moved = new Map(position);
    if (place === undefined) moved.delete(chain);
    else moved.set(chain, place);
    position = moved;
    return moved;
  };

  const readAfter = ({ chain, to }: Lane, after: ChainPosition | undefined) =>
    readEvents(reader, { chain, after, to, limit: options.pageLogs() }, options);

  for (;;) {
    const entries: Entry[] = [];
    let logs = 0;
    const empty = lanes.find(({ events, next, isComplete }) => next === events.length && !isComplete);
    if (empty !== undefined) {
      const after = position.get(empty.chain);
      const page = await (empty.following ?? readAfter(empty, after));
      empty.following = null;
      if (page.isLoading) return yield { entries, position, logs, isLoading: true };
      logs = page.logs;
      if (page.isLost && after !== undefined) {
        const { facts, place, isHistory } = await findUndo(reader, empty.chain, after);
        const moved = move(empty.chain, place);
        if (withUndo || isHistory) entries.push(new Entry(codec, moved, facts));
        empty.end = place;
      } else {
        Object.assign(empty, { events: page.events, next: 0, end: page.last ?? after });
        empty.isComplete = page.isComplete;
        if (!empty.isComplete) empty.following = readAfter(empty, empty.end);
        // The stream may end before this is awaited, which must not be an unhandled rejection.
        empty.following?.catch(() => undefined);
        if (page.events.length === 0) move(empty.chain, empty.end);
      }
    }
    // Until a chain has to be read again, because its next event may be the earliest one.
    while (lanes.every(({ events, next, isComplete }) => next < events.length || isComplete)) {
      const lane = earliest(lanes);
      const event = lane?.events[lane.next];
      if (lane === undefined || event === undefined) break;
      lane.next += 1;
      const isLast = lane.next === lane.events.length;
      entries.push(new Entry(codec, move(lane.chain, isLast ? lane.end : event.place), event));
    }
    if (empty === undefined && entries.length === 0) return;
    yield { entries, position, logs, isLoading: false };
  }
}

function earliest(lanes: readonly Lane[]): Lane | undefined {
  let found: Lane | undefined;
  let time = Number.POSITIVE_INFINITY;
  for (const lane of lanes) {
    const event = lane.events[lane.next];
    if (event !== undefined && event.time < time) [found, time] = [lane, event.time];
  }
  return found;
}
