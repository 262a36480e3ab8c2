import { getLogsRetryHelper } from '@ponder/utils';
import type { RemoteError } from '../remote/remote-error.ts';

/** How many blocks to ask for at once, learnt from how the node takes it. */
export interface RangeSize {
  current(): number;
  answered(blocks: number, ms: number, logs: number): void;
  refused(from: number, to: number, error: RemoteError): void;
}

const FIRST = 2_000;
const LARGEST = 200_000;
/** An answer this quick and this small leaves room for a larger one. */
const QUICK_MS = 2_000;
const FEW_LOGS = 5_000;
/** Answers after which a size that was refused without a limit being named is tried again. */
const PATIENCE = 50;
const ABOUT_RESULTS = /results|response size/i;

export function createRangeSize(): RangeSize {
  let size = FIRST;
  /** What the node has told, or shown, to be too much. */
  let ceiling = LARGEST;
  /** The smallest size that was refused lately, and how many answers there have been since. */
  let tooMany = Number.POSITIVE_INFINITY;
  let answers = 0;
  return {
    current: () => size,
    answered(blocks, ms, logs) {
      if (blocks < size || ms > QUICK_MS || logs > FEW_LOGS) return;
      answers += 1;
      if (answers >= PATIENCE) tooMany = Number.POSITIVE_INFINITY;
      const larger = Math.min(size * 2, ceiling);
      if (larger < tooMany) size = larger;
    },
    refused(from, to, error) {
      const blocks = to - from + 1;
      const suggested = suggestedBlocks(from, to, error);
      if (suggested === null) {
        // A limit that was named and is refused itself was counted otherwise: one block less is within it.
        if (blocks === ceiling) ceiling = Math.max(1, blocks - 1);
        size = Math.max(1, Math.min(size, Math.floor(blocks / 2)));
        [tooMany, answers] = [Math.min(tooMany, blocks), 0];
        return;
      }
      // A limit on blocks is kept to; what fits because of how many logs there are holds for these blocks only.
      if (!ABOUT_RESULTS.test(error.message)) ceiling = Math.min(ceiling, suggested);
      size = Math.max(1, Math.min(suggested, ceiling));
    },
  };
}

/** Providers word their limits differently; @ponder/utils knows the words. */
function suggestedBlocks(from: number, to: number, error: RemoteError): number | null {
  const hex = (value: number) => `0x${value.toString(16)}` as const;
  const fault = error.fault;
  const said = fault.kind === 'refused' ? { code: fault.code, message: fault.message } : { message: error.message };
  if (isEndless(said.message)) return null;
  const help = getLogsRetryHelper({
    // Safe: the helper reads nothing of an error but its JSON.
    error: said as Parameters<typeof getLogsRetryHelper>[0]['error'],
    params: [{ fromBlock: hex(from), toBlock: hex(to) }],
  });
  const range = help.shouldRetry && help.isSuggestedRange ? help.ranges[0] : undefined;
  return range === undefined ? null : Number(range.toBlock) - Number(range.fromBlock) + 1;
}

/** A limit of no block at all, or a range that ends before it begins: with these, the helper would never return. */
function isEndless(text: string): boolean {
  const [, first, last] = /\[(0x[0-9a-f]+),\s*(0x[0-9a-f]+)\]/i.exec(text) ?? [];
  return Number(last) < Number(first) || /(?:is set to|max range:|at most|max block range:) [0,.]+(?!\d)/i.test(text);
}
