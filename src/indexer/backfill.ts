import type { ChainLog } from '../protocol/decode-log.ts';
import { RemoteError } from '../remote/remote-error.ts';
import type { BlockHeader, ChainNode } from '../rpc/chain-node.ts';
import type { ChainHeads, ChainState } from './chain-state.ts';
import type { RangeSize } from './range-size.ts';

export interface BackfillOptions {
  readonly node: ChainNode;
  readonly state: ChainState;
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  /** Outlives one backfill: what has been learnt about the node still holds for the next. */
  readonly size: RangeSize;
  readonly onRange: (last: BlockHeader, logs: number) => void;
}

interface Fetched {
  readonly logs: ChainLog[];
  readonly last: BlockHeader;
}

/** Ranges asked for at a time. They are applied strictly in order. */
const IN_FLIGHT = 4;
const REFUSED_MS = 1_000;
/** How often one block is asked for before the trouble is told. */
const TRIES = 10;

/** Takes in final blocks `from` to `to` in ranges that grow while they are answered quickly. */
export async function backfill(options: BackfillOptions, from: number, to: number, chain: ChainHeads): Promise<void> {
  const { size } = options;
  const waiting: Promise<Fetched[]>[] = [];
  let next = from;
  const fetchNext = () => {
    const end = Math.min(next + size.current() - 1, to);
    const fetching = fetchRange(options, next, end);
    // A failure is thrown when its turn comes; until then it must not count as unhandled.
    fetching.catch(() => undefined);
    waiting.push(fetching);
    next = end + 1;
  };
  while (next <= to || waiting.length > 0) {
    while (waiting.length < IN_FLIGHT && next <= to) fetchNext();
    for (const { logs, last } of (await waiting.shift()) ?? []) {
      await options.state.storeRange(logs, last, chain);
      options.onRange(last, logs.length);
    }
  }
}

/** The range in one piece, or in halves when the node will not give so much at once. */
async function fetchRange(options: BackfillOptions, from: number, to: number, tries = TRIES): Promise<Fetched[]> {
  const { node, size, now, sleep } = options;
  const began = now();
  try {
    const fetched = await node.fetchRange(from, to);
    size.answered(to - from + 1, now() - began, fetched.logs.length);
    return [fetched];
  } catch (error) {
    if (!(error instanceof RemoteError) || isAboutNodes(error)) throw error;
    if (from === to) {
      // One block is the least that can be asked for: the node has some other trouble, which may pass.
      if (tries === 1) throw error;
      await sleep(REFUSED_MS);
      return fetchRange(options, from, to, tries - 1);
    }
    size.refused(from, to, error);
    const halves: Fetched[] = [];
    for (let start = from; start <= to; ) {
      const end = Math.min(start + size.current() - 1, to);
      halves.push(...(await fetchRange(options, start, end)));
      start = end + 1;
    }
    return halves;
  }
}

/** Whether the nodes are away, or want to be left alone: then a smaller question would change nothing. */
function isAboutNodes({ fault }: RemoteError): boolean {
  return fault.kind === 'unreachable' || (fault.kind === 'http' && (fault.status === 429 || fault.status === 503));
}
