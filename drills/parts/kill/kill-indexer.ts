import { join } from 'node:path';
import { demoLogs } from '../../../src/demo/demo-logs.ts';
import type { RawLog } from '../../../src/protocol/parse-log.ts';
import type { Random } from '../../../test/model/random.ts';
import { DEMO_NOW } from '../../harness/graphs.ts';
import { indexingEnv, isIndexed } from '../../harness/indexing.ts';
import { type Kith, spawnKith } from '../../harness/kith.ts';
import { sleep, until } from '../../harness/numbers.ts';
import { FINAL_DEPTH, type SimulatedChain, startSimulatedChain } from '../../harness/simulated-chain.ts';
import { differences, digestTables } from '../../harness/table-digests.ts';
import { type KillRound, urlOf } from './prepare.ts';

const CHAINS = [8453, 10];
const ACCOUNTS = 120;
const LOGS_PER_BLOCK = 8;
/** A start, a backfill and the first blocks take about as long. */
const MOST_MS = 4_000;
/** Longer than the lease of a killed indexer. */
const INDEXED_LIMIT_MS = 60_000;

/** Kills an indexer during its backfill and while blocks and reorgs arrive, then compares with a new index of the chains. */
export const killIndexer: KillRound = async ({ trial, random, name }) => {
  const chains = await Promise.all(CHAINS.map((chainId) => startSimulatedChain(chainId, DEMO_NOW)));
  const logs = [...demoLogs({ accounts: ACCOUNTS, seed: random.int(1000), now: DEMO_NOW })];
  const path = join(trial.folder, `${name}.db`);
  const again = join(trial.folder, `${name}-clean.db`);
  try {
    const cut = Math.floor(logs.length * 0.6);
    for (const chain of chains) mineAll(chain, logs.slice(0, cut));
    const rest = chains.map((chain) => ({ chain, blocks: blocksOf(chain, logs.slice(cut)) }));
    const playing = play(rest, random);
    for (let kills = 1 + random.int(2); kills > 0; kills--) {
      const kith = start(path, chains);
      await sleep(random.int(MOST_MS));
      await kith.kill();
    }
    await playing;
    for (const one of [path, again]) {
      const kith = start(one, chains);
      const isDone = await until(() => isIndexed(one, chains), INDEXED_LIMIT_MS, 200);
      await kith.stop();
      if (!isDone) return [`not indexed after ${INDEXED_LIMIT_MS} ms: ${kith.output().slice(-500)}`];
    }
    return differences(digestTables(path), digestTables(again));
  } finally {
    for (const chain of chains) await chain.stop();
  }
};

const start = (path: string, chains: readonly SimulatedChain[]): Kith =>
  spawnKith(['index'], { ...urlOf(path), ...indexingEnv(chains) });

export function blocksOf({ chainId }: SimulatedChain, logs: readonly RawLog[]): RawLog[][] {
  const own = logs.filter((log) => log.chainId === chainId);
  return Array.from({ length: Math.ceil(own.length / LOGS_PER_BLOCK) }, (_, i) =>
    own.slice(i * LOGS_PER_BLOCK, (i + 1) * LOGS_PER_BLOCK),
  );
}

export function mineAll(chain: SimulatedChain, logs: readonly RawLog[]): void {
  for (const block of blocksOf(chain, logs)) chain.mine(block);
}

/** Mines a block every `pauseMs`, with a reorg now and then. Orphaned blocks are lost. */
export async function play(
  rest: readonly { chain: SimulatedChain; blocks: RawLog[][] }[],
  random: Random,
  pauseMs = 50,
): Promise<void> {
  for (let i = 0; rest.some(({ blocks }) => i < blocks.length); i++) {
    for (const { chain, blocks } of rest) {
      if (i >= blocks.length) continue;
      const highest = chain.head().number;
      if (random.chance(0.1)) chain.rollBack(1 + random.int(FINAL_DEPTH / 2));
      chain.mine(blocks[i] ?? []);
      // A chain follows a branch that is longer than the one before it.
      while (chain.head().number <= highest) chain.mine([]);
    }
    await sleep(pauseMs);
  }
  for (const { chain } of rest) for (let i = 0; i < FINAL_DEPTH; i++) chain.mine([]);
}
