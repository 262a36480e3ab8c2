import type { Logger } from 'pino';
import { addSample, describeTimeLeft, type Sample, secondsLeft } from '../async/time-left.ts';
import type { UnixMs } from '../async/unix-time.ts';
import type { IndexerOptions } from '../indexer/run-indexer.ts';
import type { Context, Output } from './command.ts';

/** A terminal is redrawn in place; otherwise a line is logged every few seconds. */
const REDRAW_MS = 100;
const LINE_MS = 5_000;
const BAR_WIDTH = 24;

const intervalOf = (output: Output) => (output.isTTY ? REDRAW_MS : LINE_MS);
const formatCount = (value: number) => value.toLocaleString('en-GB');
const formatPercent = (fraction: number) => `${Math.floor(fraction * 100)} %`;
const formatLeft = (seconds: number | null) => (seconds === null ? '' : `, ${describeTimeLeft(seconds)}`);

function drawBar(fraction: number): string {
  const full = Math.min(BAR_WIDTH, Math.round(fraction * BAR_WIDTH));
  return '█'.repeat(full) + '░'.repeat(BAR_WIDTH - full);
}

/** What shows the progress: `stderr`, or `logger` if that is not a terminal. */
type ProgressContext = Pick<Context, 'stderr' | 'now'> & { readonly logger: Pick<Logger, 'info'> };

/** The progress of one task. `unit` is what is counted, in the plural. */
export function createProgress(label: string, unit: string, { stderr, logger, now }: ProgressContext) {
  const startedAt = now();
  let shownAt = startedAt;
  let last: [done: number, fraction: number | undefined] = [0, undefined];
  let samples: readonly Sample[] = [];

  const show = (end: string, left: number | null) => {
    const [done, fraction] = last;
    const seconds = Math.max((now() - startedAt) / 1000, 0.001);
    const percent = fraction === undefined ? '' : ` ${formatPercent(fraction)}`;
    const bar = stderr.isTTY && fraction !== undefined ? ` ${drawBar(fraction)}` : '';
    const rate = formatCount(Math.round(done / seconds));
    const text = `${label}:${bar}${percent} ${formatCount(done)} ${unit}, ${rate} per second${formatLeft(left)}`;
    if (stderr.isTTY) stderr.write(`\r\x1b[K${text}${end}`);
    else logger.info(text);
  };
  return {
    /** `fraction`, from 0 to 1, is omitted if the total is unknown. */
    update(done: number, fraction?: number): void {
      last = [done, fraction];
      if (fraction !== undefined) samples = addSample(samples, { at: now(), done: fraction });
      if (now() - shownAt < intervalOf(stderr)) return;
      shownAt = now();
      show('', secondsLeft(samples, 1));
    },
    end(): void {
      last = [last[0], last[1] === undefined ? undefined : 1];
      show('\n', null);
    },
  };
}

interface ChainProgress {
  readonly chainId: number;
  readonly from: number;
  readonly to: number;
  readonly startedAt: UnixMs;
  block: number;
  logs: number;
  secondsLeft: number | null;
}

/** Shows the progress of several backfills, one line per chain. */
export function createShowProgress({ stderr, logger, now }: ProgressContext): IndexerOptions['showProgress'] {
  const chains: ChainProgress[] = [];
  let drawnLines = 0;
  let shownAt = 0;

  const describe = ({ chainId, from, to, startedAt, block, logs, secondsLeft }: ChainProgress) => {
    const fraction = (block - from + 1) / (to - from + 1);
    const seconds = Math.max((now() - startedAt) / 1000, 0.001);
    const bar = stderr.isTTY ? ` ${drawBar(fraction)}` : '';
    // Before the first range there is no rate, and no block.
    if (block < from) return `chain ${chainId}:${bar} 0 % of blocks ${formatCount(from)} to ${formatCount(to)}`;
    const rate = formatCount(Math.round(logs / seconds));
    const position = `${formatPercent(fraction)} block ${formatCount(block)}`;
    return `chain ${chainId}:${bar} ${position}, ${rate} logs per second${block < to ? formatLeft(secondsLeft) : ''}`;
  };
  const show = () => {
    shownAt = now();
    if (!stderr.isTTY) {
      for (const chain of chains) logger.info({ chain: chain.chainId }, describe(chain));
      return;
    }
    const back = drawnLines > 0 ? `\x1b[${drawnLines}A` : '';
    stderr.write(back + chains.map((chain) => `\x1b[K${describe(chain)}\n`).join(''));
    drawnLines = chains.length;
  };
  return (chainId, from, to) => {
    const chain: ChainProgress = { chainId, from, to, startedAt: now(), block: from - 1, logs: 0, secondsLeft: null };
    chains.push(chain);
    return {
      update(block, logs, secondsLeft) {
        Object.assign(chain, { block, logs, secondsLeft });
        if (now() - shownAt >= intervalOf(stderr)) show();
      },
      end() {
        show();
        chains.splice(chains.indexOf(chain), 1);
        // Keeps the finished line; the remaining chains are drawn below it.
        drawnLines = 0;
      },
    };
  };
}
