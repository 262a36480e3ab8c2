import type { ChainLog } from '../protocol/decode-log.ts';
import { RemoteError } from '../remote/remote-error.ts';
import type { BlockHeader, ChainHeads, ChainNode, FetchedRange } from '../rpc/chain-node.ts';
import type { RangeEvent } from './chain-event.ts';
import type { RangeSize } from './range-size.ts';

export interface BackfillOptions {
  readonly node: ChainNode;
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  /** Outlives one backfill: limits learnt from the node hold for the next one as well. */
  readonly size: RangeSize;
}

/** Blocks to fetch. */
interface Range {
  readonly from: number;
  readonly to: number;
  /** Undefined before the request, and after one that the node refused. */
  fetching?: Promise<FetchedRange | null> | undefined;
}

/** Ranges fetched concurrently. They are yielded strictly in order. */
const IN_FLIGHT = 4;
const RETRY_MS = 1_000;
/** Attempts to fetch one block before the error is thrown. */
const ATTEMPTS = 10;

/** Ranges of one event. The last one is checked, which costs a few more calls. */
const RANGES_PER_EVENT = 64;
/** An event comes earlier after this many logs, for the sake of memory, or milliseconds, to show progress. */
const LOGS_PER_EVENT = 10_000;
const EVENT_MS = 10_000;

/** Fetches final blocks `from` to `to` in ranges whose size adapts to the node, several of them per event. */
export async function* backfill(
  options: BackfillOptions,
  from: number,
  to: number,
  heads: ChainHeads,
): AsyncGenerator<RangeEvent> {
  const { node, size, now } = options;
  /** In order. */
  const ranges: Range[] = [{ from, to }];
  let started = 0;
  let events = 0;
  const start = (index: number, range: Range) => {
    const end = Math.min(range.from + size.current() - 1, range.to);
    const part: Range = { from: range.from, to: end };
    ranges.splice(index, 1, part, ...(end < range.to ? [{ from: end + 1, to: range.to }] : []));
    started += 1;
    const isFirst = index === 0 && events === 0;
    const isChecked = isFirst || started % RANGES_PER_EVENT === 0 || end === to;
    part.fetching = fetchRange(options, part, isChecked).then((fetched) => {
      if (fetched === null) part.fetching = undefined;
      return fetched;
    });
    // The error is thrown when the range is awaited; until then it must not count as unhandled.
    part.fetching.catch(() => undefined);
  };
  let logs: ChainLog[] = [];
  let previous: Moment | undefined;
  let yieldedAt = now();
  while (ranges.length > 0) {
    for (let i = 0; i < IN_FLIGHT; i++) {
      const range = ranges[i];
      if (range !== undefined && range.fetching === undefined) start(i, range);
    }
    const fetched = await ranges[0]?.fetching;
    // Refused: the size is smaller now.
    if (!fetched) continue;
    const end = ranges.shift()?.to ?? to;
    previous = requireRising(node.chainId, previous, fetched);
    logs = logs.concat(fetched.logs);
    const isDue = logs.length >= LOGS_PER_EVENT || now() - yieldedAt >= EVENT_MS;
    const last = fetched.last ?? (isDue ? await fetchFinal(node, end) : null);
    if (last === null) continue;
    yield { kind: 'range', logs, last, heads, rangeSize: size.current() };
    events += 1;
    logs = [];
    yieldedAt = now();
  }
}

interface Moment {
  readonly block: number;
  readonly time: number;
}

/** Throws unless the blocks of a range are later than the last known one before it. Returns the last known one of it. */
function requireRising(
  chainId: number,
  previous: Moment | undefined,
  { logs, last }: FetchedRange,
): Moment | undefined {
  const moments = logs.map(({ blockNumber, blockTime }) => ({ block: blockNumber, time: blockTime }));
  if (last !== null) moments.push({ block: last.number, time: last.time });
  const first = moments[0];
  if (previous === undefined || first === undefined || previous.time <= first.time) return moments.at(-1) ?? previous;
  const message = `block ${first.block} has time ${first.time}, but block ${previous.block} has ${previous.time}`;
  throw new RemoteError(`chain ${chainId}`, 'eth_getLogs', { kind: 'malformed', message });
}

async function fetchFinal(node: ChainNode, number: number): Promise<BlockHeader> {
  const block = await node.fetchBlock(number);
  if (block !== null) return block;
  const message = `block ${number} is final, but the node does not have it`;
  throw new RemoteError(`chain ${node.chainId}`, 'eth_getBlockByNumber', { kind: 'malformed', message });
}

/** Null if the node refuses a range of this size. */
async function fetchRange(
  { node, size, now, sleep }: BackfillOptions,
  { from, to }: Range,
  isChecked: boolean,
): Promise<FetchedRange | null> {
  for (let attempt = 1; ; attempt++) {
    const startedAt = now();
    try {
      const fetched = await node.fetchRange(from, to, isChecked);
      size.answered(to - from + 1, now() - startedAt, fetched.logs.length);
      return fetched;
    } catch (error) {
      if (!(error instanceof RemoteError) || isOutage(error)) throw error;
      if (from < to) {
        size.refused(from, to, error);
        return null;
      }
      // A single block cannot be split: the node has another problem, which may be temporary.
      if (attempt === ATTEMPTS) throw error;
      await sleep(RETRY_MS);
    }
  }
}

/** Unreachable or rate-limited nodes: a smaller range would not help. */
function isOutage({ fault }: RemoteError): boolean {
  return fault.kind === 'unreachable' || (fault.kind === 'http' && (fault.status === 429 || fault.status === 503));
}
