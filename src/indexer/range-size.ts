import { getLogsRetryHelper } from '@ponder/utils';
import { toQuantity } from '../protocol/hex.ts';
import type { RemoteError } from '../remote/remote-error.ts';

/** Adaptive number of blocks per eth_getLogs request. */
export interface RangeSize {
  current(): number;
  answered(blocks: number, ms: number, logs: number): void;
  refused(from: number, to: number, error: RemoteError): void;
}

const FIRST = 2_000;
const LARGEST = 200_000;
/** The range grows while responses are faster and smaller than this. */
const QUICK_MS = 2_000;
const FEW_LOGS = 5_000;
/** Responses after which a size that was refused without naming a limit is tried again. */
const RETRY_AFTER = 50;
const ABOUT_RESULTS = /results|response size/i;

export function createRangeSize(): RangeSize {
  let size = FIRST;
  /** The limit on blocks that the node named or that was inferred. */
  let ceiling = LARGEST;
  /** The smallest size that was refused recently, and the number of responses since. */
  let tooMany = Number.POSITIVE_INFINITY;
  let answers = 0;
  return {
    current: () => size,
    answered(blocks, ms, logs) {
      if (blocks < size || ms > QUICK_MS || logs > FEW_LOGS) return;
      answers += 1;
      if (answers >= RETRY_AFTER) tooMany = Number.POSITIVE_INFINITY;
      const larger = Math.min(size * 2, ceiling);
      if (larger < tooMany) size = larger;
    },
    refused(from, to, error) {
      const blocks = to - from + 1;
      const suggested = suggestedBlocks(from, to, error);
      if (suggested === null) {
        // The node refuses the limit that it named itself: it counts an inclusive range as one block less.
        if (blocks === ceiling) ceiling = Math.max(1, blocks - 1);
        size = Math.max(1, Math.min(size, Math.floor(blocks / 2)));
        [tooMany, answers] = [Math.min(tooMany, blocks), 0];
        return;
      }
      // A limit on blocks is permanent. A limit on results depends on the logs of these blocks.
      if (!ABOUT_RESULTS.test(error.message)) ceiling = Math.min(ceiling, suggested);
      size = Math.max(1, Math.min(suggested, ceiling));
    },
  };
}

/** Parses the limit from the error message, which differs by provider; @ponder/utils knows the wordings. */
function suggestedBlocks(from: number, to: number, error: RemoteError): number | null {
  const fault = error.fault;
  const reported = fault.kind === 'refused' ? { code: fault.code, message: fault.message } : { message: error.message };
  if (isImpossible(reported.message)) return null;
  const help = getLogsRetryHelper({
    // Safe: the helper only reads the JSON of the error.
    error: reported as Parameters<typeof getLogsRetryHelper>[0]['error'],
    params: [{ fromBlock: toQuantity(from), toBlock: toQuantity(to) }],
  });
  const range = help.shouldRetry && help.isSuggestedRange ? help.ranges[0] : undefined;
  return range === undefined ? null : Number(range.toBlock) - Number(range.fromBlock) + 1;
}

/** A limit of zero blocks, or a range that ends before it starts: the helper would loop forever or throw. */
function isImpossible(text: string): boolean {
  const ranges = [...text.matchAll(/\[(0x[0-9a-f]+),\s*(0x[0-9a-f]+)\]/gi)];
  return (
    ranges.some(([, first = '', last = '']) => BigInt(last) < BigInt(first)) ||
    /(?:is set to|max range:|at most|max block range:) [0,.]+(?!\d)/i.test(text)
  );
}
