import type { ChainLog } from '../protocol/decode-log.ts';
import { RemoteError } from '../remote/remote-error.ts';
import type { BlockHeader, ChainHeads, ChainNode } from '../rpc/chain-node.ts';
import type { RangeEvent } from './chain-event.ts';
import type { RangeSize } from './range-size.ts';

export interface BackfillOptions {
  readonly node: ChainNode;
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  /** Outlives one backfill: limits learnt from the node hold for the next one as well. */
  readonly size: RangeSize;
}

interface FetchedRange {
  readonly logs: ChainLog[];
  readonly last: BlockHeader;
}

/** Ranges fetched concurrently. They are yielded strictly in order. */
const IN_FLIGHT = 4;
const RETRY_MS = 1_000;
/** Attempts to fetch one block before the error is thrown. */
const ATTEMPTS = 10;

/** Fetches final blocks `from` to `to` in ranges whose size adapts to the node. */
export async function* backfill(
  options: BackfillOptions,
  from: number,
  to: number,
  heads: ChainHeads,
): AsyncGenerator<RangeEvent> {
  const { size } = options;
  const inFlight: Promise<FetchedRange[]>[] = [];
  let next = from;
  const fetchNext = () => {
    const end = Math.min(next + size.current() - 1, to);
    const fetching = fetchRange(options, next, end);
    // The error is thrown when the range is awaited; until then it must not count as unhandled.
    fetching.catch(() => undefined);
    inFlight.push(fetching);
    next = end + 1;
  };
  while (next <= to || inFlight.length > 0) {
    while (inFlight.length < IN_FLIGHT && next <= to) fetchNext();
    for (const { logs, last } of (await inFlight.shift()) ?? []) yield { kind: 'range', logs, last, heads };
  }
}

/** Fetches a range, split in smaller ones when the node refuses its size. */
async function fetchRange(
  options: BackfillOptions,
  from: number,
  to: number,
  attempts = ATTEMPTS,
): Promise<FetchedRange[]> {
  const { node, size, now, sleep } = options;
  const startedAt = now();
  try {
    const fetched = await node.fetchRange(from, to);
    size.answered(to - from + 1, now() - startedAt, fetched.logs.length);
    return [fetched];
  } catch (error) {
    if (!(error instanceof RemoteError) || isOutage(error)) throw error;
    if (from === to) {
      // A single block cannot be split: the node has another problem, which may be temporary.
      if (attempts === 1) throw error;
      await sleep(RETRY_MS);
      return fetchRange(options, from, to, attempts - 1);
    }
    size.refused(from, to, error);
    const parts: FetchedRange[] = [];
    for (let start = from; start <= to; ) {
      const end = Math.min(start + size.current() - 1, to);
      parts.push(...(await fetchRange(options, start, end)));
      start = end + 1;
    }
    return parts;
  }
}

/** Unreachable or rate-limited nodes: a smaller range would not help. */
function isOutage({ fault }: RemoteError): boolean {
  return fault.kind === 'unreachable' || (fault.kind === 'http' && (fault.status === 429 || fault.status === 503));
}
