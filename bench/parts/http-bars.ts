import type { Measured } from '../harness/measure.ts';
import type { Kind } from '../harness/requests.ts';
import { median, spread, whole } from '../numbers.ts';
import type { Options } from '../options.ts';
import { atLeast, type Bar } from '../report/findings.ts';
import type { Figure } from './http.ts';

/** Minimum throughput of cache hits, as a share of a bare node:http server. */
const HIT_BAR = 0.65;
/** The same with the cache off. */
const UNCACHED_BARS: Readonly<Record<Kind['lookup'], number>> = {
  details: 0.36,
  badges: 0.36,
  followers: 0.28,
  notifications: 0.25,
  search: 0.2,
  account: 0.4,
  state: 0.4,
  edges: 0.25,
  batch: 0.2,
  ranked: 0.25,
  further: 0.15,
  accounts: 0.1,
};
/** Minimum share of the throughput that remains when the graph is large. */
const MIN_KEPT = 0.8;
/** Maximum factor by which p99 latency may grow with the graph. */
const MAX_SLOWER = 2;

/** Labels a figure. */
export function nameOf({ accounts, cache, kind }: Figure): string {
  return `${kind.name}, ${cache.name}, ${whole(accounts)}`;
}

const byCpu = (ratio: number) => `${ratio.toFixed(2)} by CPU`;

/** Formats a ratio with its spread, by throughput and by CPU time. */
export const ratioOf = (measured: Measured) => `${spread(measured.ratios)}, ${byCpu(measured.byCpu)}`;

/** Compares throughput with its bar. */
export function barsOf(figures: readonly Figure[]): Bar[] {
  return figures.map((figure) => {
    const { cache, kind, measured } = figure;
    const bar = cache.name === 'hits' ? HIT_BAR : UNCACHED_BARS[kind.lookup];
    return atLeast(nameOf(figure), bar, measured.ratio, ratioOf(measured));
  });
}

/** Compares each figure on the large graph with the same on the small one. */
export function flatBars(figures: readonly Figure[], { flatFrom, large }: Options): Bar[] {
  return figures
    .filter(({ accounts }) => accounts === flatFrom)
    .flatMap((small): Bar[] => {
      const grown = figures.find(
        ({ accounts, cache, kind }) => accounts === large && cache === small.cache && kind === small.kind,
      );
      if (grown === undefined || grown === small) return [];
      // Round by round: within a round the graph sizes alternate, so both see the same load of the machine.
      const kept = grown.measured.ratios.map((ratio, round) => ratio / (small.measured.ratios[round] ?? Number.NaN));
      const keptCpu = grown.measured.byCpu / small.measured.byCpu;
      const slower = grown.measured.p99 / small.measured.p99;
      return [
        {
          what: `${nameOf(grown)} against ${whole(flatFrom)}`,
          bar: `keeps ${MIN_KEPT}, p99 at most ×${MAX_SLOWER}`,
          measured: `keeps ${spread(kept)}, ${byCpu(keptCpu)}, p99 ×${slower.toFixed(2)}`,
          isReached: median(kept) >= MIN_KEPT && slower <= MAX_SLOWER,
        },
      ];
    });
}
