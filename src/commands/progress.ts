export interface Progress {
  /** Tells how far the work is. `fraction`, of 1, is left out where the end is not known. */
  update(done: number, fraction?: number): void;
  end(): void;
}

export interface ProgressOptions {
  readonly label: string;
  /** What is counted, in the plural. */
  readonly unit: string;
  readonly output: NodeJS.WritableStream & { isTTY?: boolean };
  readonly now: () => number;
}

const BAR_WIDTH = 24;
/** A terminal is redrawn often enough to look alive; a log file gets a line every few seconds. */
const REDRAW_MS = 100;
const LINE_MS = 5_000;

/** A bar on a terminal, plain lines elsewhere. */
export function createProgress({ label, unit, output, now }: ProgressOptions): Progress {
  const began = now();
  const interval = output.isTTY ? REDRAW_MS : LINE_MS;
  let shown = began;
  let last: [done: number, fraction: number | undefined] = [0, undefined];

  const show = (end: string) => {
    const [done, fraction] = last;
    const seconds = Math.max((now() - began) / 1000, 0.001);
    const percent = fraction === undefined ? '' : ` ${Math.floor(fraction * 100)} %`;
    const bar = output.isTTY && fraction !== undefined ? ` ${drawBar(fraction)}` : '';
    const text = `${label}:${bar}${percent} ${count(done)} ${unit}, ${count(Math.round(done / seconds))} a second`;
    output.write(output.isTTY ? `\r\x1b[K${text}${end}` : `${text}\n`);
  };
  return {
    update(done, fraction) {
      last = [done, fraction];
      if (now() - shown < interval) return;
      shown = now();
      show('');
    },
    end() {
      last = [last[0], last[1] === undefined ? undefined : 1];
      show('\n');
    },
  };
}

export function drawBar(fraction: number): string {
  const full = Math.min(BAR_WIDTH, Math.round(fraction * BAR_WIDTH));
  return '█'.repeat(full) + '░'.repeat(BAR_WIDTH - full);
}

export const count = (value: number) => value.toLocaleString('en-GB');
