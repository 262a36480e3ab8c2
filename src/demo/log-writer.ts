import { deployments, type Role } from '../protocol/deployments.ts';
import { type Address, type Hex, toQuantity } from '../protocol/hex.ts';
import type { RawLog } from '../protocol/parse-log.ts';
import type { DemoOptions } from './demo-options.ts';
import { mix, randomDigits, streamOf } from './random.ts';

const DAY = 86_400;
const TIMELINE_DAYS = 540;

export const BASE = 8453;
export const OPTIMISM = 10;
export const ETHEREUM = 1;

export function startOf({ now }: DemoOptions): number {
  return now - TIMELINE_DAYS * DAY;
}

export function contractOf(role: Role, chainId: number): Address {
  const contract = deployments.mainnet?.contracts.find((c) => c.role === role && c.chainId === chainId);
  if (contract === undefined) throw new Error(`no ${role} on chain ${chainId}`);
  return contract.address;
}

export type LogWriter = ReturnType<typeof createLogWriter>;

/** Blocks have a constant interval, so the time of a block follows from its number. */
interface Chain {
  readonly firstBlock: number;
  readonly blockSeconds: number;
  readonly hashes: number;
  block: number;
  nextLogIndex: number;
  blockFields: { blockNumber: Hex; blockHash: Hex; blockTimestamp: Hex };
}

/** Assigns events to blocks of their chains. */
export function createLogWriter(options: DemoOptions) {
  const start = startOf(options);
  const hashes = streamOf(options.seed, 'block');
  const createChain = (chainId: number, firstBlock: number, blockSeconds: number): [number, Chain] => {
    const blockFields = { blockNumber: '0x', blockHash: '0x', blockTimestamp: '0x' } as const;
    return [
      chainId,
      { firstBlock, blockSeconds, hashes: mix(hashes, chainId), block: -1, nextLogIndex: 0, blockFields },
    ];
  };
  const chains = new Map([
    createChain(BASE, 20_180_000, 2),
    createChain(OPTIMISM, 125_790_000, 2),
    createChain(ETHEREUM, 20_820_000, 12),
  ]);
  let time = start;
  let logs: RawLog[] = [];

  function openBlock(chain: Chain, age: number): void {
    const block = chain.firstBlock + age;
    const digest = mix(chain.hashes, block);
    chain.block = block;
    // Logs of other contracts precede ours in a block.
    chain.nextLogIndex = digest % 200;
    chain.blockFields = {
      blockNumber: toQuantity(block),
      blockHash: `0x${randomDigits(digest, 8)}`,
      blockTimestamp: toQuantity(start + age * chain.blockSeconds),
    };
  }

  return {
    /** Sets the time of the next events, in Unix seconds; never decreases. */
    moveTo(next: number): void {
      time = next;
    },
    write(chainId: number, address: Address, topics: readonly Hex[], data: Hex): void {
      const chain = chains.get(chainId);
      if (chain === undefined) throw new Error(`no blocks for chain ${chainId}`);
      const age = Math.floor((time - start) / chain.blockSeconds);
      if (chain.firstBlock + age !== chain.block) openBlock(chain, age);
      const { blockNumber, blockHash, blockTimestamp } = chain.blockFields;
      const logIndex = toQuantity(chain.nextLogIndex++);
      logs.push({ chainId, address, topics, data, blockNumber, blockHash, blockTimestamp, logIndex });
    },
    /** Returns the logs since the last call. */
    take(): RawLog[] {
      const taken = logs;
      logs = [];
      return taken;
    },
  };
}
