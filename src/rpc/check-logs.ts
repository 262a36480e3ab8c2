import { keccak256 } from 'viem/utils';
import { batches } from '../async/batches.ts';
import { turnOfOwn } from '../async/turn-of-own.ts';
import { asObject, BadInputError } from '../errors/bad-input.ts';
import type { ChainLog } from '../protocol/decode-log.ts';
import { type Address, type Hex, parseHex, toQuantity } from '../protocol/hex.ts';
import { MAX_TIME, parseQuantity, parseWord } from '../protocol/parse-log.ts';
import type { Call, RpcReply } from './endpoint.ts';

/** How far the nodes of a chain are believed. */
export interface ChainTrust {
  /** As many of the newest blocks are never final, whatever a node says. */
  readonly finalityDepth: number;
  /** Whether a log must be in the bloom filter of its block. */
  readonly checksBlooms: boolean;
  /** Whether a second node must have the blocks of the head with the same logs. */
  readonly comparesNodes: boolean;
}

/**
 * Newest blocks that are never final: two epochs of Ethereum, which its finality takes at least, and ten minutes of the
 * OP Stack, whose finality takes longer. These chains have real bloom filters.
 */
const FINALITY_DEPTHS: Readonly<Record<number, number>> = {
  1: 64,
  11155111: 64,
  10: 300,
  8453: 300,
  84532: 300,
  11155420: 300,
};
const OTHER_FINALITY_DEPTH = 64;

/** The trust in the nodes of a chain unless settings say otherwise. */
export function defaultTrust(chainId: number): ChainTrust {
  const depth = FINALITY_DEPTHS[chainId];
  return { finalityDepth: depth ?? OTHER_FINALITY_DEPTH, checksBlooms: depth !== undefined, comparesNodes: false };
}

/** A well-formed answer of a node that its own block or another node contradicts. */
export class ContradictionError extends Error {
  override name = 'ContradictionError';
}

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
export function checkLogs(logs: readonly ChainLog[], expected: LogExpectations): void {
  const { contracts, topics, blocks } = expected;
  const positions = new Set<string>();
  const hashes = new Map([...blocks.values()].map(({ number, hash }) => [number, hash]));
  for (const log of logs) {
    const { blockNumber, blockHash, blockTime, logIndex, address } = log;
    const name = nameOf(log);
    const [event] = log.topics;
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

const nameOf = ({ logIndex, blockNumber }: ChainLog) => `log ${logIndex} of block ${blockNumber}`;

/** Some ten milliseconds of hashing. An answer may have a hundred thousand logs, also of one block. */
const LOGS_PER_TURN = 200;

/** Rejects a log that the bloom filter of its block lacks, of the blocks that are known. */
export async function checkBlooms(logs: readonly ChainLog[], blocks: ReadonlyMap<Hex, BlockHeader>): Promise<void> {
  for await (const some of batches(logs, LOGS_PER_TURN)) {
    for (const log of some) {
      const bloom = blocks.get(log.blockHash)?.logsBloom;
      if (bloom !== undefined && !mayContain(bloom, [log.address, ...log.topics]))
        throw new ContradictionError(`${nameOf(log)} is not in the bloom filter of the block`);
    }
    await turnOfOwn();
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

export interface BlockHeader {
  readonly number: number;
  readonly hash: Hex;
  readonly parentHash: Hex;
  /** Unix seconds. */
  readonly time: number;
  readonly logsBloom: Hex;
}

export function blockCall(at: number | 'latest' | 'finalized'): Call {
  return { method: 'eth_getBlockByNumber', params: [typeof at === 'number' ? toQuantity(at) : at, false] };
}

export function blockByHashCall(hash: Hex): Call {
  return { method: 'eth_getBlockByHash', params: [hash, false] };
}

export function resultOf(reply: RpcReply | undefined): unknown {
  if (reply === undefined) throw new BadInputError('a response of the batch is missing');
  if ('error' in reply) throw reply.error;
  return reply.result;
}

/** Rejects a block that is not the requested one. */
export function parseBlock(result: unknown, asked: Partial<Pick<BlockHeader, 'number' | 'hash'>>): BlockHeader | null {
  if (result === null) return null;
  const raw = asObject(result, 'block');
  const logsBloom = parseHex(raw.logsBloom);
  if (logsBloom?.length !== BLOOM_LENGTH) throw new BadInputError('block without logsBloom');
  const block = {
    number: parseQuantity('number', raw.number),
    time: parseQuantity('timestamp', raw.timestamp, MAX_TIME),
    hash: parseWord('hash', raw.hash),
    parentHash: parseWord('parentHash', raw.parentHash),
    logsBloom,
  };
  const { number = block.number, hash = block.hash } = asked;
  if (block.number === number && block.hash === hash) return block;
  throw new BadInputError(`got block ${block.number} with hash ${block.hash} instead of ${number} with ${hash}`);
}

/** 256 bytes as hex with the prefix. */
const BLOOM_LENGTH = 514;

/** Tests whether a block's bloom filter may contain a log of one of `contracts` with one of `topics`. */
export function createBloomTest(contracts: readonly Hex[], topics: readonly Hex[]): (bloom: Hex) => boolean {
  const contractBits = contracts.map(bitsOf);
  const topicBits = topics.map(bitsOf);
  return (bloom) => {
    const has = (bits: readonly number[]) => bits.every((bit) => isSet(bloom, bit));
    return contractBits.some(has) && topicBits.some(has);
  };
}

/** Whether a bloom filter may contain all of `values`. False if one of them was certainly not added. */
function mayContain(bloom: Hex, values: readonly Hex[]): boolean {
  return values.every((value) => bitsOf(value).every((bit) => isSet(bloom, bit)));
}

/** A value sets three of 2048 bits: the low eleven bits of each of the first three 16-bit words of its hash. */
function bitsOf(value: Hex): number[] {
  const hash = keccak256(value);
  return [0, 1, 2].map((pair) => Number.parseInt(hash.slice(2 + pair * 4, 6 + pair * 4), 16) & 2047);
}

/** Bit 0 is the last one of the filter, which has 512 hex digits after the prefix. */
function isSet(bloom: Hex, bit: number): boolean {
  const digit = Number.parseInt(bloom.charAt(bloom.length - 1 - (bit >> 2)), 16);
  return ((digit >> (bit & 3)) & 1) === 1;
}

/** Whether more than half of a filter's bits are set. */
export function isFull(bloom: Hex): boolean {
  let set = 0;
  for (const digit of bloom.slice(2)) set += BITS_SET[Number.parseInt(digit, 16)] ?? 0;
  return set > 1024;
}

/** Number of set bits by hex digit. */
const BITS_SET = Array.from({ length: 16 }, (_, digit) => digit.toString(2).replaceAll('0', '').length);
