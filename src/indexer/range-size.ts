import { getLogsRetryHelper } from '@ponder/utils';
import { toQuantity } from '../protocol/hex.ts';
import type { RemoteError } from '../remote/remote-error.ts';

/** Adaptive number of blocks per eth_getLogs request. */
export type RangeSize = ReturnType<typeof createRangeSize>;

/** The most frequent limit of providers. */
const FIRST = 10_000;
const LARGEST = 200_000;
/** The range grows while responses are faster and smaller than this. */
const QUICK_MS = 2_000;
const FEW_LOGS = 5_000;
/** Responses after which a size closer to one that was refused is tried. Doubles with each refusal. */
const RETRY_AFTER = 50;
/** Responses after which the next step follows one that was accepted. */
const QUICK_STEPS = 4;
const ABOUT_RESULTS = /results|response size/i;

/** `settled` is the size that an earlier process ended with. */
export function createRangeSize(settled: number | null = null) {
  let size = settled ?? FIRST;
  /** The largest size that was answered. */
  let good = 0;
  /** The limit on blocks that the node named or that was inferred. */
  let ceiling = LARGEST;
  /** The smallest size that was refused without naming a limit. */
  let tooMany = settled === null ? Number.POSITIVE_INFINITY : settled * 2;
  /** Responses since the size last changed, and those to wait for. */
  let answers = 0;
  let retryAfter = RETRY_AFTER;
  return {
    current: () => size,
    answered(blocks: number, ms: number, logs: number): void {
      if (blocks < size || ms > QUICK_MS || logs > FEW_LOGS) return;
      good = blocks;
      answers += 1;
      if (tooMany === Number.POSITIVE_INFINITY) size = Math.min(size * 2, ceiling);
      else if (answers >= retryAfter) {
        answers = retryAfter - QUICK_STEPS;
        size = Math.min(Math.ceil((size + tooMany) / 2), ceiling);
        if (size === tooMany) tooMany = Number.POSITIVE_INFINITY;
      }
    },
    refused(from: number, to: number, error: RemoteError): void {
      const blocks = to - from + 1;
      answers = 0;
      const suggested = suggestedBlocks(from, to, error);
      if (suggested === null || suggested >= blocks) {
        // The node refuses the limit that it named itself: it counts an inclusive range as one block less.
        if (blocks === ceiling && blocks > 1 && ceiling < LARGEST) {
          ceiling = blocks - 1;
          size = Math.min(size, ceiling);
          return;
        }
        size = Math.max(1, Math.min(size, good > 0 && good < blocks ? good : Math.floor(blocks / 2)));
        good = Math.min(good, size);
        // Once for requests that were sent together.
        if (blocks < tooMany && tooMany < Number.POSITIVE_INFINITY) retryAfter *= 2;
        tooMany = Math.min(tooMany, blocks);
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
