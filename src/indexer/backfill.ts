import type { MonotonicMs } from '../async/unix-time.ts';
import type { ChainLog } from '../protocol/decode-log.ts';
import { RemoteError } from '../remote/remote-error.ts';
import { type ChainNode, contradicted, type FetchedRange } from '../rpc/chain-node.ts';
import type { BlockHeader } from '../rpc/check-logs.ts';
import type { RangeSize } from './range-size.ts';
import type { BlockRef } from './reorg.ts';

export interface BackfillOptions {
  readonly node: ChainNode;
  readonly now: () => MonotonicMs;
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

/** Ranges that are stored together. The last one is checked, which costs a few more calls. */
const RANGES_PER_WRITE = 64;
/** They are stored earlier after this many logs, for the sake of memory, or milliseconds, to show progress. */
const LOGS_PER_WRITE = 10_000;
const WRITE_MS = 10_000;

/** All logs of final blocks above `after` up to `last`. */
export interface FetchedBlocks {
  /** The stored block that they continue. Null if no block is stored. */
  readonly after: BlockRef | null;
  readonly logs: readonly ChainLog[];
  readonly last: BlockHeader;
}

/** Fetches final blocks in ranges whose size adapts to the node, and yields what is to be stored together. */
export async function* backfill(
  options: BackfillOptions,
  { from, to, after }: Pick<Range, 'from' | 'to'> & Pick<FetchedBlocks, 'after'>,
): AsyncGenerator<FetchedBlocks> {
  const { node, size, now } = options;
  /** In order. */
  const ranges: Range[] = [{ from, to }];
  let started = 0;
  let yields = 0;
  const start = (index: number, range: Range) => {
    const end = Math.min(range.from + size.current() - 1, range.to);
    const part: Range = { from: range.from, to: end };
    ranges.splice(index, 1, part, ...(end < range.to ? [{ from: end + 1, to: range.to }] : []));
    started += 1;
    const isFirst = index === 0 && yields === 0;
    const isChecked = isFirst || started % RANGES_PER_WRITE === 0 || end === to;
    part.fetching = fetchRange(options, part, isChecked).then((fetched) => {
      if (fetched === null) part.fetching = undefined;
      return fetched;
    });
    // The error is thrown when the range is awaited; until then it must not count as unhandled.
    part.fetching.catch(() => undefined);
  };
  let logs: ChainLog[] = [];
  let previous: Moment | undefined;
  let stored = after;
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
    previous = requireRising(node, previous, fetched);
    logs = logs.concat(fetched.logs);
    const isDue = logs.length >= LOGS_PER_WRITE || now() - yieldedAt >= WRITE_MS;
    const last = fetched.last ?? (isDue ? await fetchFinal(node, end) : null);
    if (last === null) continue;
    if (stored !== null) await requireStill(node, stored);
    yield { after: stored, logs, last };
    yields += 1;
    stored = last;
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
  node: ChainNode,
  previous: Moment | undefined,
  { logs, last }: FetchedRange,
): Moment | undefined {
  const moments = logs.map(({ blockNumber, blockTime }) => ({ block: blockNumber, time: blockTime }));
  if (last !== null) moments.push({ block: last.number, time: last.time });
  const first = moments[0];
  if (previous === undefined || first === undefined || previous.time <= first.time) return moments.at(-1) ?? previous;
  const message = `block ${first.block} has time ${first.time}, but block ${previous.block} has ${previous.time}`;
  throw contradicted(node, message, 'eth_getLogs');
}

async function fetchFinal(node: ChainNode, number: number): Promise<BlockHeader> {
  const block = await node.fetchBlock(number);
  if (block !== null) return block;
  throw contradicted(node, `block ${number} is final, but the node does not have it`);
}

/** Throws unless the node still has a stored block: the range after it may be of a branch without it. */
async function requireStill(node: ChainNode, { number, hash }: BlockRef): Promise<void> {
  const block = await node.fetchBlock(number);
  if (block?.hash === hash) return;
  throw contradicted(node, `block ${number} is stored with hash ${hash}, but has ${block?.hash ?? 'none'} since`);
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
