import { asObject, BadInputError, fail } from '../errors/bad-input.ts';
import type { ChainLog } from './decode-log.ts';
import { type Hex, parseAddress, parseHex } from './hex.ts';

/** A log as eth_getLogs returns it, plus its chain id. Other fields are ignored. */
export interface RawLog {
  readonly chainId: number;
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
  readonly blockNumber: string;
  readonly blockHash: string;
  readonly blockTimestamp: string;
  readonly logIndex: string;
  readonly removed?: boolean;
}

/** The last second of the year 9999: ISO 8601 cannot represent later times with four-digit years. */
export const MAX_TIME = 253_402_300_799;
/** As large as a column of 4 bytes holds. No block has as many logs. */
const MAX_LOG_INDEX = 2 ** 31 - 1;
const QUANTITY = /^0x[0-9a-f]{1,14}$/i;

export function parseRawLog(value: unknown): ChainLog {
  const raw = asObject(value);
  return parseFields(raw, parseChainId(raw.chainId), parseTime(raw.blockTimestamp));
}

/** A log of a node, which may leave out the time. */
export type NodeLog = Omit<ChainLog, 'blockTime'> & { blockTime: number | null };

export function parseNodeLog(value: unknown, chainId: number): NodeLog {
  const raw = asObject(value, 'log');
  return parseFields(raw, chainId, (raw.blockTimestamp ?? null) === null ? null : parseTime(raw.blockTimestamp));
}

function parseFields<T>(raw: Readonly<Record<string, unknown>>, chainId: number, blockTime: T) {
  if (raw.removed === true) throw new BadInputError('removed: the log was removed by a reorg');
  return {
    chainId,
    blockNumber: parseQuantity('blockNumber', raw.blockNumber),
    blockHash: parseWord('blockHash', raw.blockHash),
    blockTime,
    logIndex: parseQuantity('logIndex', raw.logIndex, MAX_LOG_INDEX),
    address: parseAddress(raw.address) ?? fail('address', 'an address', raw.address),
    topics: parseTopics(raw.topics),
    data: parseHex(raw.data) ?? fail('data', 'whole bytes as hex with the prefix 0x', raw.data),
  };
}

const parseTime = (value: unknown) => parseQuantity('blockTimestamp', value, MAX_TIME);

function parseChainId(value: unknown): number {
  return Number.isSafeInteger(value) && (value as number) > 0
    ? (value as number)
    : fail('chainId', 'a whole number above 0', value);
}

/** A hex number, as JSON-RPC encodes integers. */
export function parseQuantity(field: string, value: unknown, max = Number.MAX_SAFE_INTEGER): number {
  const number = typeof value === 'string' && QUANTITY.test(value) ? Number.parseInt(value, 16) : Number.NaN;
  return number <= max ? number : fail(field, `a hex number up to 0x${max.toString(16)}`, value);
}

/** 32 bytes. */
export function parseWord(field: string, value: unknown): Hex {
  const hex = parseHex(value);
  return hex?.length === 66 ? hex : fail(field, '32 bytes as hex with the prefix 0x', value);
}

function parseTopics(value: unknown): Hex[] {
  if (!Array.isArray(value) || value.length > 4) return fail('topics', 'an array of at most 4 words', value);
  return value.map((topic, i) => parseWord(`topics[${i}]`, topic));
}
