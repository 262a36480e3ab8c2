import { type ChainLog, EVENT_TOPICS } from './decode-log.ts';
import type { Role } from './deployments.ts';
import { type Address, type Hex, textToHex } from './hex.ts';

const WORD = 64; // hex digits of 32 bytes

/** Encodes dynamic values (`bytes` or `string`). */
export function encodeDynamicValues(values: readonly Hex[]): Hex {
  let head = '';
  let tail = '';
  for (const value of values) {
    head += word(values.length * 32 + tail.length / 2);
    const digits = value.slice(2);
    tail += word(digits.length / 2) + digits.padEnd(Math.ceil(digits.length / WORD) * WORD, '0');
  }
  return `0x${head}${tail}`;
}

/** `value` as a 32-byte ABI word in hex, without the 0x prefix. */
export function word(value: number | bigint): string {
  return value.toString(16).padStart(WORD, '0');
}

/** A cell and what a log wrote to it, as stored. */
export interface StoredWrite {
  readonly subject: string;
  readonly part: string;
  readonly payload: Hex;
}

type EncodedLog = Pick<ChainLog, 'address' | 'topics' | 'data'>;

/**
 * The inverse of `decodeLog`: a log that writes the same cell. `contractOf` finds the contract where the subject does not
 * name it, and `from` is the owner before a transfer, which the cell does not store.
 */
export function encodeLog(write: StoredWrite, contractOf: (role: Role) => Address, from: Address): EncodedLog {
  const { subject, part, payload } = write;
  const [first = '', second = '', slot] = subject.split('/');
  if (first === 'list') {
    const tokenId: Hex = `0x${word(BigInt(second))}`;
    const address = contractOf('list-registry');
    return part === 'owner'
      ? {
          address,
          topics: [EVENT_TOPICS.Transfer, encodeAddressTopic(from), encodeAddressTopic(payload), tokenId],
          data: '0x',
        }
      : { address, topics: [EVENT_TOPICS.UpdateListStorageLocation, tokenId], data: encodeDynamicValues([payload]) };
  }
  if (first === 'account') {
    // Safe: the subject of an account ends with its address.
    const topics = [EVENT_TOPICS.UpdateAccountMetadata, encodeAddressTopic(second as Address)];
    return { address: contractOf('account-metadata'), topics, data: encodeKeyValueData(part, payload) };
  }
  // Safe: the subject of a slot is `chainId/contract/slot`.
  const [address, slotTopic] = [second as Address, slot as Hex];
  return part === 'user' || part === 'manager'
    ? { address, topics: [EVENT_TOPICS.UpdateListMetadata, slotTopic], data: encodeKeyValueData(part, payload) }
    : { address, topics: [EVENT_TOPICS.ListOp, slotTopic], data: encodeDynamicValues([payload]) };
}

/** ABI-encodes log data with a key and a value. */
export function encodeKeyValueData(key: string, value: Hex): Hex {
  return encodeDynamicValues([textToHex(key), value]);
}

export function encodeAddressTopic(address: Address): Hex {
  return `0x${address.slice(2).padStart(64, '0')}`;
}
