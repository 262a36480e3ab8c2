import type { RawLog } from '../../src/protocol/parse-log.ts';
import { createRandom, type Random } from '../model/random.ts';
import { randomHistory } from '../model/random-history.ts';
import type { EvmNode } from './evm-node.ts';
import { addressesOn } from './harness.ts';
import { noFaults, type ProviderProxy, randomFaults } from './provider-proxy.ts';
import type { SimulatedIndexer } from './simulation-indexer.ts';

/** Final blocks are two epochs behind the head. */
export const EPOCH = 5;
const STEPS = 30;
const LOGS = 140;

/** A node and its future blocks. */
interface Chain {
  readonly node: EvmNode;
  readonly proxies: readonly ProviderProxy[];
  /** The logs of each future block. */
  readonly blocks: RawLog[][];
  height: number;
  /** The highest head so far: no block two epochs below it is reorganised. */
  highest: number;
}

export interface Simulation {
  readonly nodes: readonly EvmNode[];
  /** Two providers for each node. */
  readonly proxies: ReadonlyMap<EvmNode, readonly ProviderProxy[]>;
  readonly indexer: SimulatedIndexer;
}

/** Runs random steps and reports them. At the end all faults are off and all blocks are mined. */
export async function simulate(seed: number, simulation: Simulation, note: (event: string) => void): Promise<void> {
  const random = createRandom(seed);
  const history = randomHistory(seed, { logs: LOGS });
  const chains = simulation.nodes.map((node) => createChain(node, history, simulation.proxies.get(node) ?? []));
  const { indexer } = simulation;

  async function step(): Promise<string> {
    const chain = random.pick(chains);
    const { chainId } = chain.node;
    return random.weighted<() => Promise<string>>([
      [8, () => async () => `${await grow(chain, 1 + random.int(3))} blocks on ${chainId}`],
      [1, () => async () => `${await growEmpty(chain, 2 * EPOCH + random.int(4))} empty blocks on ${chainId}`],
      [4, () => async () => `${await reorganise(random, chain)} blocks of ${chainId} reorganised`],
      [3, () => async () => injectFaults(random, chain)],
      [4, () => async () => catchUpWith(indexer, chain)],
      [1, () => async () => stopAndStart(indexer)],
      [1, () => async () => replace(indexer)],
      [2, () => async () => `killed: ${await indexer.kill(random.int(6))}`],
    ])();
  }

  indexer.start();
  for (let i = 0; i < STEPS; i++) note(await step());
  for (const { proxies } of chains) for (const proxy of proxies) proxy.script = noFaults;
  for (const chain of chains) await grow(chain, chain.blocks.length);
}

function createChain(node: EvmNode, history: readonly RawLog[], proxies: readonly ProviderProxy[]): Chain {
  const known = new Set<string>(addressesOn(node.chainId));
  const logs = history.filter(({ chainId, address }) => chainId === node.chainId && known.has(address.toLowerCase()));
  const numbers = [...new Set(logs.map(({ blockNumber }) => blockNumber))];
  const blocks = numbers.map((number) => logs.filter(({ blockNumber }) => blockNumber === number));
  return { node, proxies, blocks, height: 0, highest: 0 };
}

async function mine(chain: Chain, logs: readonly RawLog[]): Promise<void> {
  await chain.node.mine(logs);
  chain.height += 1;
  chain.highest = Math.max(chain.highest, chain.height);
}

async function grow(chain: Chain, count: number): Promise<number> {
  const blocks = chain.blocks.splice(0, count);
  for (const block of blocks) await mine(chain, block);
  return blocks.length;
}

/** Mines enough empty blocks to make the head final. */
async function growEmpty(chain: Chain, count: number): Promise<number> {
  for (let i = 0; i < count; i++) await mine(chain, []);
  return count;
}

/** Removes blocks that are not final, and mines a branch at least as long. Some logs are lost. */
async function reorganise(random: Random, chain: Chain): Promise<number> {
  const open = chain.height - Math.max(0, chain.highest - 2 * EPOCH + 1);
  if (open <= 0) return 0;
  const depth = open - random.int(open);
  await chain.node.rollBack(depth);
  chain.height -= depth;
  for (let i = 0; i < depth + random.int(2); i++) await mine(chain, chain.blocks.shift() ?? []);
  return depth;
}

function injectFaults(random: Random, { node, proxies }: Chain): string {
  const probability = random.pick([0, 0.05, 0.2]);
  // A separate generator: the order of requests is not deterministic.
  const faults = createRandom(random.int(1_000_000));
  for (const proxy of proxies) proxy.script = randomFaults(faults, probability);
  return `${node.chainId}: faults with probability ${probability}`;
}

async function catchUpWith(indexer: SimulatedIndexer, { node }: Chain): Promise<string> {
  await indexer.untilIndexed([node]);
  return `${node.chainId} indexed`;
}

async function stopAndStart(indexer: SimulatedIndexer): Promise<string> {
  await indexer.stop();
  indexer.start();
  return 'stopped and started';
}

function replace(indexer: SimulatedIndexer): string {
  indexer.replace();
  return 'replaced';
}
