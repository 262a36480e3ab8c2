import { decodeAbiParameters, encodeFunctionData, namehash, toFunctionSelector } from 'viem';
import { byteLength, type Hex, sliceHex } from '../../protocol/hex.ts';
import { type FetchedProfile, MAX_TEXT_LENGTH, TEXT_KEYS, TEXT_TOO_LONG } from '../profile-source.ts';
import { type ChainKey, COIN_TYPES, decodeAddress } from './decode-address.ts';
import { decodeRevert, describeRevert } from './decode-revert.ts';
import { coinAddressAbi, multicallAbi, textAbi } from './universal-resolver.ts';

export type Records = Pick<FetchedProfile, 'records' | 'chains' | 'errors'>;

/** ABI-encoded size of the longest text: four bytes per character, an offset and a length. */
const MAX_ENCODED_BYTES = MAX_TEXT_LENGTH * 4 + 64;

// Safe: COIN_TYPES is a literal without further keys.
const CHAIN_KEYS = Object.keys(COIN_TYPES) as ChainKey[];
/** Some batch gateways return the selector of the call in place of an empty result. */
const CALL_SELECTORS = [
  toFunctionSelector('text(bytes32,string)'),
  toFunctionSelector('addr(bytes32,uint256)'),
  toFunctionSelector('resolve(bytes,bytes)'),
];

/** Encodes one multicall for all records of a name: texts first, then addresses. */
export function encodeRecordsCall(name: string): Hex {
  const node = namehash(name);
  const texts = TEXT_KEYS.map((key) => encodeFunctionData({ abi: textAbi, args: [node, key] }));
  const addresses = CHAIN_KEYS.map((key) => encodeFunctionData({ abi: coinAddressAbi, args: [node, COIN_TYPES[key]] }));
  return encodeFunctionData({ abi: multicallAbi, args: [[...texts, ...addresses]] });
}

/** Decodes the results of that multicall. Returns null if their number is wrong. */
export function decodeRecords(results: readonly Hex[]): Records | null {
  if (results.length !== TEXT_KEYS.length + CHAIN_KEYS.length) return null;
  const records: Record<string, string> = {};
  const chains: Record<string, string> = {};
  const errors: Record<string, string> = {};
  const decodeInto = (
    [into, group, key]: readonly [Record<string, string>, string, string],
    decode: () => string | null,
  ): void => {
    try {
      const value = decode();
      if (value !== null && value !== '') into[key] = value;
    } catch (error) {
      // Safe: the decoders below throw nothing but errors.
      errors[`${group}.${key}`] = (error as Error).message;
    }
  };
  for (const [i, result] of results.entries()) {
    const text = TEXT_KEYS[i];
    const chain = CHAIN_KEYS[i - TEXT_KEYS.length];
    if (text !== undefined) decodeInto([records, 'records', text], () => decodeText(result));
    else if (chain !== undefined) decodeInto([chains, 'chains', chain], () => decodeChain(chain, result));
  }
  return { records, chains, errors };
}

function decodeText(result: Hex): string | null {
  if (!hasValue(result)) return null;
  if (byteLength(result) > MAX_ENCODED_BYTES) throw new Error(TEXT_TOO_LONG);
  const text = decodeOrThrow(result, decodeString);
  if (text.length > MAX_TEXT_LENGTH) throw new Error(TEXT_TOO_LONG);
  return text;
}

function decodeChain(chain: ChainKey, result: Hex): string | null {
  return hasValue(result) ? decodeAddress(chain, decodeOrThrow(result, decodeBytes)) : null;
}

const decodeString = (result: Hex) => decodeAbiParameters([{ type: 'string' }], result)[0];
const decodeBytes = (result: Hex) => decodeAbiParameters([{ type: 'bytes' }], result)[0];

/** Throws if the result is a revert. Return data is a multiple of 32 bytes; revert data has a 4-byte selector. */
function hasValue(result: Hex): boolean {
  if (result === '0x') return false;
  if (byteLength(result) % 32 !== 4) return true;
  if (byteLength(result) === 4 && CALL_SELECTORS.includes(result)) return false;
  const revert = decodeRevert(result);
  if (revert.kind !== 'absent') throw new Error(describeRevert(revert));
  // The resolver does not support this kind of record. The other errors say nothing about a single record.
  if (revert.error !== 'UnsupportedResolverProfile') throw new Error(`reverted with ${revert.error}`);
  return false;
}

function decodeOrThrow<T>(result: Hex, decode: (result: Hex) => T): T {
  try {
    return decode(result);
  } catch {
    throw new Error(`cannot be decoded: ${byteLength(result)} bytes starting with ${sliceHex(result, 0, 4)}`);
  }
}
