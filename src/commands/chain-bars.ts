import { count, drawBar } from './progress.ts';

export interface ChainBars {
  add(chainId: number, from: number, to: number): { update(block: number, logs: number): void; end(): void };
}

interface Bar {
  readonly chainId: number;
  readonly from: number;
  readonly to: number;
  readonly began: number;
  block: number;
  logs: number;
}

const REDRAW_MS = 100;
const LINE_MS = 5_000;

/** One bar per chain that is being read, redrawn in place on a terminal; elsewhere a line every few seconds. */
export function createChainBars(options: {
  output: NodeJS.WritableStream & { isTTY?: boolean };
  now: () => number;
}): ChainBars {
  const { output, now } = options;
  const bars: Bar[] = [];
  let drawn = 0;
  let shown = 0;

  const describe = (bar: Bar) => {
    const fraction = (bar.block - bar.from + 1) / (bar.to - bar.from + 1);
    const seconds = Math.max((now() - bar.began) / 1000, 0.001);
    const left = fraction > 0 ? Math.round((seconds / fraction) * (1 - fraction)) : 0;
    const picture = output.isTTY ? ` ${drawBar(fraction)}` : '';
    const speed = count(Math.round(bar.logs / seconds));
    return `chain ${bar.chainId}:${picture} ${Math.floor(fraction * 100)} % block ${count(bar.block)}, ${speed} logs a second, ${left} s left`;
  };
  const show = (force: boolean) => {
    if (!force && now() - shown < (output.isTTY ? REDRAW_MS : LINE_MS)) return;
    shown = now();
    const back = output.isTTY && drawn > 0 ? `\x1b[${drawn}A` : '';
    const clear = output.isTTY ? '\x1b[K' : '';
    output.write(back + bars.map((bar) => `${clear}${describe(bar)}\n`).join(''));
    drawn = bars.length;
  };
  return {
    add(chainId, from, to) {
      const bar = { chainId, from, to, began: now(), block: from - 1, logs: 0 };
      bars.push(bar);
      return {
        update(block, logs) {
          bar.block = block;
          bar.logs = logs;
          show(false);
        },
        end() {
          show(true);
          bars.splice(bars.indexOf(bar), 1);
          // What stands above stays as it is; the bars that are left are drawn anew below it.
          drawn = 0;
        },
      };
    },
  };
}
