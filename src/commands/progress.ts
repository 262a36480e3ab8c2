import type { Logger } from 'pino';
import { addSample, describeTimeLeft, type Sample, secondsLeft } from '../async/time-left.ts';
import type { MonotonicMs } from '../async/unix-time.ts';
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
type ProgressContext = Pick<Context, 'stderr' | 'monotonic'> & { readonly logger: Pick<Logger, 'info'> };

/** The progress of one task. `unit` is what is counted, in the plural. */
export function createProgress(label: string, unit: string, { stderr, logger, monotonic }: ProgressContext) {
  const startedAt = monotonic();
  let shownAt = startedAt;
  let last: [done: number, fraction: number | undefined] = [0, undefined];
  let samples: readonly Sample[] = [];

  const show = (end: string, left: number | null) => {
    const [done, fraction] = last;
    const seconds = Math.max((monotonic() - startedAt) / 1000, 0.001);
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
      if (fraction !== undefined) samples = addSample(samples, { at: monotonic(), done: fraction });
      if (monotonic() - shownAt < intervalOf(stderr)) return;
      shownAt = monotonic();
      show('', secondsLeft(samples, 1));
    },
    end(): void {
      last = [last[0], last[1] === undefined ? undefined : 1];
      show('\n', null);
    },
  };
}

/** Shows the progress of several backfills, one line per chain. */
export function createShowProgress({ stderr, logger, monotonic }: ProgressContext): IndexerOptions['showProgress'] {
  const lines = new Map<number, string>();
  let drawnLines = 0;
  let shownAt: MonotonicMs = Number.NEGATIVE_INFINITY;

  const barOf = (fraction: number) => (stderr.isTTY ? ` ${drawBar(fraction)}` : '');
  const show = () => {
    shownAt = monotonic();
    if (!stderr.isTTY) {
      for (const [chain, line] of lines) logger.info({ chain }, line);
      return;
    }
    const back = drawnLines > 0 ? `\x1b[${drawnLines}A` : '';
    stderr.write(back + [...lines.values()].map((line) => `\x1b[K${line}\n`).join(''));
    drawnLines = lines.size;
  };
  return (chainId, from, to) => {
    const startedAt = monotonic();
    // Before the first range there is no rate, and no block.
    lines.set(chainId, `chain ${chainId}:${barOf(0)} 0 % of blocks ${formatCount(from)} to ${formatCount(to)}`);
    return {
      update(block, logs, secondsLeft) {
        const fraction = (block - from + 1) / (to - from + 1);
        const rate = formatCount(Math.round(logs / Math.max((monotonic() - startedAt) / 1000, 0.001)));
        const position = `${formatPercent(fraction)} block ${formatCount(block)}`;
        const left = block < to ? formatLeft(secondsLeft) : '';
        lines.set(chainId, `chain ${chainId}:${barOf(fraction)} ${position}, ${rate} logs per second${left}`);
        if (monotonic() - shownAt >= intervalOf(stderr)) show();
      },
      end() {
        show();
        lines.delete(chainId);
        // Keeps the finished line; the remaining chains are drawn below it.
        drawnLines = 0;
      },
    };
  };
}
