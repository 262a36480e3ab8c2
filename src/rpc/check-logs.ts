import { BadInputError } from '../errors/bad-input.ts';
import type { ChainLog } from '../protocol/decode-log.ts';
import type { Address, Hex } from '../protocol/hex.ts';

export interface LogExpectations {
  readonly contracts: readonly Address[];
  /** Hashes of the event signatures. */
  readonly topics: readonly Hex[];
  /** The block of each log, by hash. */
  readonly blocks: ReadonlyMap<Hex, { readonly number: number; readonly time: number }>;
}

/** Rejects logs that were not asked for, that contradict their block, or that share a position. */
export function checkLogs(logs: readonly ChainLog[], { contracts, topics, blocks }: LogExpectations): void {
  const positions = new Set<string>();
  const hashes = new Map<number, Hex>();
  for (const { blockNumber, blockHash, blockTime, logIndex, address, topics: logTopics } of logs) {
    const name = `log ${logIndex} of block ${blockNumber}`;
    const [event] = logTopics;
    if (!contracts.includes(address) || event === undefined || !topics.includes(event))
      throw new BadInputError(`${name} is not of the requested contracts and events`);
    const block = blocks.get(blockHash);
    if (block === undefined) throw new BadInputError(`${name}: the block ${blockHash} is unknown`);
    if (block.number !== blockNumber || block.time !== blockTime) {
      const claimed = `number ${blockNumber} and time ${blockTime}`;
      throw new BadInputError(`${name} has ${claimed}, but its block has ${block.number} and ${block.time}`);
    }
    if ((hashes.get(blockNumber) ?? blockHash) !== blockHash)
      throw new BadInputError(`block ${blockNumber} has logs with two hashes`);
    hashes.set(blockNumber, blockHash);
    const position = `${blockNumber}/${logIndex}`;
    if (positions.has(position)) throw new BadInputError(`${name} occurs twice`);
    positions.add(position);
  }
}
