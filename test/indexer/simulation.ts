import type { RawLog } from '../../src/protocol/parse-log.ts';
import { createRandom, type Random } from '../model/random.ts';
import { randomHistory } from '../model/random-history.ts';
import type { Anvil } from './anvil.ts';
import { addressesOn } from './harness.ts';
import { noFaults, type ProviderProxy, randomFaults } from './provider-proxy.ts';
import type { SimulatedIndexer } from './simulation-indexer.ts';

/** Final blocks are two epochs behind the head. */
export const EPOCH = 5;
const STEPS = 30;
const LOGS = 140;

/** A node, its future blocks, and the snapshots that it can be reverted to. */
interface Chain {
  readonly anvil: Anvil;
  readonly proxies: readonly ProviderProxy[];
  /** The logs of each future block. */
  readonly blocks: RawLog[][];
  readonly snapshots: { readonly height: number; readonly id: string }[];
  height: number;
  /** The highest head so far: no block two epochs below it is reorganised. */
  highest: number;
}

export interface Simulation {
  readonly anvils: readonly Anvil[];
  /** Two providers for each node. */
  readonly proxies: ReadonlyMap<Anvil, readonly ProviderProxy[]>;
  readonly indexer: SimulatedIndexer;
}

/** Runs random steps and reports them. At the end all faults are off and all blocks are mined. */
export async function simulate(seed: number, simulation: Simulation, note: (event: string) => void): Promise<void> {
  const random = createRandom(seed);
  const history = randomHistory(seed, { logs: LOGS });
  const chains = await Promise.all(
    simulation.anvils.map((anvil) => createChain(anvil, history, simulation.proxies.get(anvil) ?? [])),
  );
  const { indexer } = simulation;

  async function step(): Promise<string> {
    const chain = random.pick(chains);
    const { chainId } = chain.anvil;
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

async function createChain(
  anvil: Anvil,
  history: readonly RawLog[],
  proxies: readonly ProviderProxy[],
): Promise<Chain> {
  const known = new Set<string>(addressesOn(anvil.chainId));
  const logs = history.filter(({ chainId, address }) => chainId === anvil.chainId && known.has(address.toLowerCase()));
  const numbers = [...new Set(logs.map(({ blockNumber }) => blockNumber))];
  const blocks = numbers.map((number) => logs.filter(({ blockNumber }) => blockNumber === number));
  const height = await anvil.blockNumber();
  return { anvil, proxies, blocks, snapshots: [], height, highest: height };
}

async function mine(chain: Chain, logs: readonly RawLog[]): Promise<void> {
  const id = await chain.anvil.request<string>('evm_snapshot');
  chain.snapshots.push({ height: chain.height, id });
  await chain.anvil.mine(logs);
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

/** Reverts to a block that is not final, and mines a branch at least as long. Some logs are lost. */
async function reorganise(random: Random, chain: Chain): Promise<number> {
  const open = chain.snapshots.filter(({ height }) => height > chain.highest - 2 * EPOCH);
  if (open.length === 0) return 0;
  const { height, id } = random.pick(open);
  const depth = chain.height - height;
  await chain.anvil.request('evm_revert', [id]);
  // A revert consumes the snapshot and all later ones.
  chain.snapshots.splice(chain.snapshots.findIndex((snapshot) => snapshot.id === id));
  chain.height = height;
  for (let i = 0; i < depth + random.int(2); i++) await mine(chain, chain.blocks.shift() ?? []);
  return depth;
}

function injectFaults(random: Random, { anvil, proxies }: Chain): string {
  const probability = random.pick([0, 0.05, 0.2]);
  // A separate generator: the order of requests is not deterministic.
  const faults = createRandom(random.int(1_000_000));
  for (const proxy of proxies) proxy.script = randomFaults(faults, probability);
  return `${anvil.chainId}: faults with probability ${probability}`;
}

async function catchUpWith(indexer: SimulatedIndexer, { anvil }: Chain): Promise<string> {
  await indexer.untilIndexed([anvil]);
  return `${anvil.chainId} indexed`;
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
