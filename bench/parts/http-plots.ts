import { whole } from '../numbers.ts';
import type { Plot } from '../report/plot.ts';
import type { Figure } from './http.ts';

/** Throughput by graph size, and latency at one size, for each cache state. */
export function plotHttp(figures: readonly Figure[], barsAt: number): Plot[] {
  const names = [...new Set(figures.map(({ kind }) => kind.name))];
  const sizes = [...new Set(figures.map(({ accounts }) => accounts))].sort((a, b) => a - b);
  return [...new Set(figures.map(({ cache }) => cache))].flatMap((cache): Plot[] => {
    const find = (name: string, size: number) =>
      figures.filter((figure) => figure.cache === cache && figure.kind.name === name && figure.accounts === size);
    const file = cache.name.replace(' ', '-');
    const lines: Plot = {
      kind: 'lines',
      file: `throughput-${file}.svg`,
      title: `Throughput by graph size, ${cache.name}`,
      axis: 'throughput relative to a bare server',
      sizes,
      series: names.map((name) => ({
        name,
        values: sizes.flatMap((size) => find(name, size).map(({ measured }) => measured.ratio)),
      })),
    };
    if (!sizes.includes(barsAt)) return [lines];
    const dots: Plot = {
      kind: 'dots',
      file: `latency-${file}.svg`,
      title: `Latency at ${whole(barsAt)} accounts under full load, ${cache.name}`,
      axis: 'milliseconds, 32 connections, logarithmic',
      dots: ['p50', 'p90', 'p99'],
      rows: names.flatMap((name) =>
        find(name, barsAt).map(({ measured: { p50, p90, p99 } }) => ({ name, values: [p50, p90, p99] })),
      ),
    };
    return [lines, dots];
  });
}
