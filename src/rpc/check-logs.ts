import { BadInputError } from '../errors/bad-input.ts';
import type { ChainLog } from '../protocol/decode-log.ts';
import type { Address, Hex } from '../protocol/hex.ts';

/** What identifies a block, and its time in Unix seconds. */
interface Block {
  readonly number: number;
  readonly hash: Hex;
  readonly time: number;
}

export interface LogExpectations {
  readonly contracts: readonly Address[];
  /** Hashes of the event signatures. */
  readonly topics: readonly Hex[];
  /** Blocks whose header is known, by hash. */
  readonly blocks: ReadonlyMap<Hex, Block>;
}

/** Rejects logs that were not asked for, that contradict a known block, or that share a position. */
export function checkLogs(logs: readonly ChainLog[], { contracts, topics, blocks }: LogExpectations): void {
  const positions = new Set<string>();
  const hashes = new Map([...blocks.values()].map(({ number, hash }) => [number, hash]));
  for (const { blockNumber, blockHash, blockTime, logIndex, address, topics: logTopics } of logs) {
    const name = `log ${logIndex} of block ${blockNumber}`;
    const [event] = logTopics;
    if (!contracts.includes(address) || event === undefined || !topics.includes(event))
      throw new BadInputError(`${name} is not of the requested contracts and events`);
    const block = blocks.get(blockHash);
    if (block !== undefined && (block.number !== blockNumber || block.time !== blockTime)) {
      const claimed = `number ${blockNumber} and time ${blockTime}`;
      throw new BadInputError(`${name} has ${claimed}, but its block has ${block.number} and ${block.time}`);
    }
    const hash = hashes.get(blockNumber) ?? blockHash;
    if (hash !== blockHash) throw new BadInputError(`block ${blockNumber} has the hashes ${hash} and ${blockHash}`);
    hashes.set(blockNumber, blockHash);
    const position = `${blockNumber}/${logIndex}`;
    if (positions.has(position)) throw new BadInputError(`${name} occurs twice`);
    positions.add(position);
  }
}

/**
 * The hashes of blocks that logs contradict each other about: one number or time per hash, times that rise with the
 * number. Headers decide, because some chains have several blocks per second.
 */
export function findDoubts(logs: readonly ChainLog[], known: Iterable<Block>): Set<Hex> {
  const claims: Block[] = logs.map(({ blockNumber, blockHash, blockTime }) => ({
    number: blockNumber,
    hash: blockHash,
    time: blockTime,
  }));
  const sorted = [...known, ...claims].sort((a, b) => a.number - b.number);
  const doubts = new Set<Hex>();
  const byHash = new Map<Hex, Block>();
  let previous: Block | undefined;
  for (const claim of sorted) {
    const first = byHash.get(claim.hash) ?? claim;
    byHash.set(claim.hash, first);
    if (first.number !== claim.number || first.time !== claim.time) doubts.add(claim.hash);
    if (previous !== undefined && previous.hash !== claim.hash && previous.time >= claim.time) {
      doubts.add(previous.hash);
      doubts.add(claim.hash);
    }
    previous = claim;
  }
  return doubts;
}
