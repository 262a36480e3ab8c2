import type { Measured } from '../harness/measure.ts';
import { HIT_BAR } from '../harness/requests.ts';
import { median, spread, whole } from '../numbers.ts';
import type { Options } from '../options.ts';
import { atLeast, type Bar } from '../report/findings.ts';
import type { Figure } from './http.ts';

const MIN_KEPT = 0.8;
const MAX_SLOWER = 2;

/** What a figure is about. */
export function nameOf({ accounts, cache, kind }: Figure): string {
  return `${kind.name}, ${cache.name}, ${whole(accounts)}`;
}

const byCpu = (ratio: number) => `${ratio.toFixed(2)} by CPU`;

/** A ratio with its spread, and the same by CPU. */
export const ratioOf = (measured: Measured) => `${spread(measured.ratios)}, ${byCpu(measured.byCpu)}`;

/** Throughput against what it must reach. */
export function barsOf(figures: readonly Figure[]): Bar[] {
  return figures.map((figure) => {
    const { cache, kind, measured } = figure;
    const bar = cache.name === 'hits' ? HIT_BAR : kind.bar;
    return atLeast(nameOf(figure), bar, measured.ratio, ratioOf(measured));
  });
}

/** What is left of each figure when the graph is large. */
export function flatBars(figures: readonly Figure[], { flatFrom, large }: Options): Bar[] {
  return figures
    .filter(({ accounts }) => accounts === flatFrom)
    .flatMap((small): Bar[] => {
      const grown = figures.find(
        ({ accounts, cache, kind }) => accounts === large && cache === small.cache && kind === small.kind,
      );
      if (grown === undefined || grown === small) return [];
      // Of each round by itself: within it, the sizes take turns.
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
