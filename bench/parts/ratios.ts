import type { Compared } from '../harness/measure.ts';
import { whole } from '../numbers.ts';
import { type AdvisedBar, atMost, type Table } from '../report/findings.ts';

const times = (ratio: number) => `${ratio.toFixed(2)}×`;

/** The CPU time of a request relative to another server's. */
export function ratioBar({ name, ratio, ours, base }: Compared, limit: number, advice: string): AdvisedBar {
  const range = `${ratio.low.toFixed(2)}–${ratio.high.toFixed(2)}`;
  const micros = `${whole(ours.cpuMicros)} and ${whole(base.cpuMicros)} µs`;
  return { ...atMost(name, limit, '×', ratio.ratio, `${times(ratio.ratio)} (${range}), ${micros}`), advice };
}

/** Both sides of each pair. */
export function ratioTable(title: string, note: string, base: string, compared: readonly Compared[]): Table {
  return {
    title,
    note,
    columns: ['request', 'ratio', 'CPU µs', `${base} µs`, 'per second', 'p50 ms', 'p99 ms', 'bytes'],
    rows: compared.map(({ name, ratio, ours, base }) => [
      name,
      ...[times(ratio.ratio), whole(ours.cpuMicros), whole(base.cpuMicros), whole(ours.perSecond)],
      ...[ours.p50.toFixed(2), ours.p99.toFixed(2), whole(ours.bytes)],
    ]),
  };
}
