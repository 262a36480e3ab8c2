import type { RawLog } from '../../src/protocol/parse-log.ts';
import { createRandom, type Random } from '../model/random.ts';
import { randomHistory } from '../model/random-history.ts';
import type { Anvil } from './anvil.ts';
import { addressesOn } from './harness.ts';
import { faultsByChance, noFaults, type ProviderProxy } from './provider-proxy.ts';
import type { SimulatedIndexer } from './simulation-indexer.ts';

/** Final blocks are two epochs behind the head. */
export const EPOCH = 5;
const STEPS = 30;
const LOGS = 140;

/** A node, what is yet to happen on it, and where it can be turned back to. */
interface Chain {
  readonly anvil: Anvil;
  readonly proxies: readonly ProviderProxy[];
  /** Blocks to come, each with its logs. */
  readonly blocks: RawLog[][];
  readonly snapshots: { readonly height: number; readonly id: string }[];
  height: number;
  /** What has ever been at the head: nothing two epochs below it changes any more. */
  highest: number;
}

export interface World {
  readonly anvils: readonly Anvil[];
  /** Two providers for each node. */
  readonly proxies: ReadonlyMap<Anvil, readonly ProviderProxy[]>;
  readonly indexer: SimulatedIndexer;
}

/** Lets things happen as the seed has it, and tells what did. In the end all is well, and nothing is left to happen. */
export async function simulate(seed: number, world: World, note: (event: string) => void): Promise<void> {
  const random = createRandom(seed);
  const history = randomHistory(seed, { logs: LOGS });
  const chains = await Promise.all(
    world.anvils.map((anvil) => createChain(anvil, history, world.proxies.get(anvil) ?? [])),
  );
  const { indexer } = world;

  async function step(): Promise<string> {
    const chain = random.pick(chains);
    const { chainId } = chain.anvil;
    return random.weighted<() => Promise<string>>([
      [8, () => async () => `${await grow(chain, 1 + random.int(3))} blocks on ${chainId}`],
      [1, () => async () => `${await growEmpty(chain, 2 * EPOCH + random.int(4))} empty blocks on ${chainId}`],
      [4, () => async () => `${await reorganise(random, chain)} blocks of ${chainId} reorganised`],
      [3, () => async () => spoil(random, chain)],
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

/** So many that what was at the head becomes final. */
async function growEmpty(chain: Chain, count: number): Promise<number> {
  for (let i = 0; i < count; i++) await mine(chain, []);
  return count;
}

/** Turns back to a block that is not final, and goes on otherwise: as far or further, with some logs gone for good. */
async function reorganise(random: Random, chain: Chain): Promise<number> {
  const open = chain.snapshots.filter(({ height }) => height > chain.highest - 2 * EPOCH);
  if (open.length === 0) return 0;
  const { height, id } = random.pick(open);
  const depth = chain.height - height;
  await chain.anvil.request('evm_revert', [id]);
  // A snapshot can be gone back to once, and those after it never.
  chain.snapshots.splice(chain.snapshots.findIndex((snapshot) => snapshot.id === id));
  chain.height = height;
  for (let i = 0; i < depth + random.int(2); i++) await mine(chain, chain.blocks.shift() ?? []);
  return depth;
}

function spoil(random: Random, { anvil, proxies }: Chain): string {
  const probability = random.pick([0, 0.05, 0.2]);
  // The faults are drawn as requests come; how they come is not the seed's.
  const faults = createRandom(random.int(1_000_000));
  for (const proxy of proxies) proxy.script = faultsByChance(faults, probability);
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
