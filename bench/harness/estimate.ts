import { median } from '../numbers.ts';

/** A ratio of costs that was measured several times; the middle of the results, the lowest and the highest. */
export interface Estimate {
  readonly ratio: number;
  readonly low: number;
  readonly high: number;
}

/** Costs that were measured right after each other. */
export interface Costs {
  readonly ours: number;
  readonly base: number;
}

/** One ratio for each group of rounds. */
export function estimateRatio(groups: readonly (readonly Costs[])[]): Estimate {
  const ratios = groups.map((rounds) => {
    const [ours, base] = [rounds.map((costs) => costs.ours), rounds.map((costs) => costs.base)];
    return undisturbed(ours) / undisturbed(base);
  });
  return { ratio: median(ratios), low: Math.min(...ratios), high: Math.max(...ratios) };
}

/**
 * The lower quartile. Other programs on the machine only ever add to a cost: on a busy one, the medians of two equal
 * servers differed by a tenth.
 */
export function undisturbed(costs: readonly number[]): number {
  return costs.toSorted((a, b) => a - b)[Math.floor(costs.length / 4)] ?? Number.NaN;
}
