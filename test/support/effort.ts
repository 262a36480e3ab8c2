import type { Store } from '../../src/store/store.ts';

/**
 * How much the suite tries. `npm test` takes a few seeds and one engine for logic that does not depend on the engine;
 * `npm run test:deep` sets KITH_DEEP=1 and takes more seeds, all depths and both engines everywhere.
 */
export const isDeep = process.env.KITH_DEEP === '1';

/** Random histories per test; another one for each engine in a quick run. KITH_SEEDS and KITH_SEED set other ones. */
export function historySeeds(engine: Store['engine'], deepCount: number): number[] {
  const { KITH_SEED: one, KITH_SEEDS: count } = process.env;
  if (one === undefined && count === undefined && !isDeep) return [QUICK_HISTORY[engine]];
  return seeds({ one, count: count ?? deepCount });
}

const QUICK_HISTORY = { sqlite: 1, postgres: 2 };

/** Simulations per engine. KITH_SIMULATIONS sets another number, KITH_SIMULATION_SEED replays one of them. */
export const simulationSeeds = (engine: Store['engine']) =>
  seeds({
    one: process.env.KITH_SIMULATION_SEED,
    count: process.env.KITH_SIMULATIONS ?? SIMULATIONS[engine][isDeep ? 'deep' : 'quick'],
  });

const SIMULATIONS = { sqlite: { quick: 2, deep: 20 }, postgres: { quick: 1, deep: 6 } };

/** Random histories during which an indexer process is killed. */
export const crashSeeds = isDeep ? [31, 32, 33, 34] : [31];

/** Reorg depths to test on a chain. */
export function reorgDepths(chainId: number): readonly number[] {
  if (isDeep) return [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
  return chainId === 8453 ? [1, 2, 10] : [3];
}

function seeds({ one, count }: { one: string | undefined; count: string | number }): number[] {
  return one === undefined ? Array.from({ length: Number(count) }, (_, i) => i + 1) : [Number(one)];
}
