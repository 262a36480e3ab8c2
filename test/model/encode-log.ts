import { concatHex, encodeAbiParameters, type Hex, numberToHex, pad, stringToHex } from 'viem';
import type { RawLog } from '../../src/protocol/parse-log.ts';
import { MAINNET, TOPICS } from './mainnet.ts';

export interface LogBody {
  readonly chainId: number;
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

export type RecordsChain = (typeof MAINNET.records)[number]['chainId'];

export interface SlotRef {
  readonly chainId: RecordsChain;
  readonly slot: bigint;
}

export interface Place {
  readonly blockNumber: number;
  readonly blockHash: Hex;
  readonly time: number;
  readonly logIndex: number;
}

export const word = (value: bigint): Hex => numberToHex(value, { size: 32 });
export const addressWord = (address: Hex): Hex => pad(address, { size: 32 });

export function recordsAddress(chainId: RecordsChain): Hex {
  const contract = MAINNET.records.find((records) => records.chainId === chainId);
  if (!contract) throw new Error(`no records contract on chain ${chainId}`);
  return contract.address;
}

export function transfer(from: Hex, to: Hex, tokenId: bigint): LogBody {
  const topics = [TOPICS.transfer, addressWord(from), addressWord(to), word(tokenId)];
  return { ...MAINNET.registry, topics, data: '0x' };
}

export function storageLocation(tokenId: bigint, location: Hex): LogBody {
  return { ...MAINNET.registry, topics: [TOPICS.location, word(tokenId)], data: encodeBytes(location) };
}

export function accountMetadata(account: Hex, key: string, value: Hex): LogBody {
  const topics = [TOPICS.accountMetadata, addressWord(account)];
  return { ...MAINNET.accountMetadata, topics, data: encodeKeyed(key, value) };
}

export function listMetadata({ chainId, slot }: SlotRef, key: string, value: Hex): LogBody {
  const topics = [TOPICS.listMetadata, word(slot)];
  return { chainId, address: recordsAddress(chainId), topics, data: encodeKeyed(key, value) };
}

export function listOp({ chainId, slot }: SlotRef, op: Hex): LogBody {
  return { chainId, address: recordsAddress(chainId), topics: [TOPICS.listOp, word(slot)], data: encodeBytes(op) };
}

export function locationBytes({ chainId, slot }: SlotRef): Hex {
  return concatHex(['0x0101', word(BigInt(chainId)), recordsAddress(chainId), word(slot)]);
}

/** `tail` is the tag, or ignored bytes for opcodes without one. */
export function opBytes(opcode: number, record: Hex, tail: Hex = '0x'): Hex {
  return concatHex(['0x01', numberToHex(opcode, { size: 1 }), '0x0101', record, tail]);
}

export function placeLog(body: LogBody, { blockNumber, blockHash, time, logIndex }: Place): RawLog {
  return {
    ...body,
    blockNumber: numberToHex(blockNumber),
    blockHash,
    blockTimestamp: numberToHex(time),
    logIndex: numberToHex(logIndex),
  };
}

export function encodeBytes(value: Hex): Hex {
  return encodeAbiParameters([{ type: 'bytes' }], [value]);
}

/** Strings are ABI-encoded like bytes. */
function encodeKeyed(key: string, value: Hex): Hex {
  return encodeAbiParameters([{ type: 'bytes' }, { type: 'bytes' }], [stringToHex(key), value]);
}
