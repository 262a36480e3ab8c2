import { decodeAbiParameters, encodeFunctionData, namehash, toFunctionSelector } from 'viem';
import { byteLength, type Hex, sliceHex } from '../../protocol/hex.ts';
import { type FetchedProfile, LONGEST_TEXT, TEXT_KEYS, TEXT_TOO_LONG } from '../profile-source.ts';
import { type ChainKey, COIN_TYPES, decodeAddress } from './decode-address.ts';
import { decodeRevert, describeRevert } from './decode-revert.ts';
import { coinAddressAbi, multicallAbi, textAbi } from './universal-resolver.ts';

export type Records = Pick<FetchedProfile, 'records' | 'chains' | 'errors'>;

/** A text of that many characters with its offset and its length, encoded. */
const LONGEST_ENCODED = LONGEST_TEXT * 4 + 64;

// Safe: the keys of the literal are all there is.
const CHAIN_KEYS = Object.keys(COIN_TYPES) as ChainKey[];
/** A contract that is told to repeat what it was asked when nothing comes back repeats one of these. */
const ASKED = [
  toFunctionSelector('text(bytes32,string)'),
  toFunctionSelector('addr(bytes32,uint256)'),
  toFunctionSelector('resolve(bytes,bytes)'),
];

/** One call that asks for every record of a name: texts first, then addresses. */
export function encodeRecordsCall(name: string): Hex {
  const node = namehash(name);
  const texts = TEXT_KEYS.map((key) => encodeFunctionData({ abi: textAbi, args: [node, key] }));
  const addresses = CHAIN_KEYS.map((key) => encodeFunctionData({ abi: coinAddressAbi, args: [node, COIN_TYPES[key]] }));
  return encodeFunctionData({ abi: multicallAbi, args: [[...texts, ...addresses]] });
}

/** What became of each call in it; null when that is not as many as were asked. */
export function decodeRecords(results: readonly Hex[]): Records | null {
  if (results.length !== TEXT_KEYS.length + CHAIN_KEYS.length) return null;
  const records: Record<string, string> = {};
  const chains: Record<string, string> = {};
  const errors: Record<string, string> = {};
  const take = (
    [into, group, key]: readonly [Record<string, string>, string, string],
    decode: () => string | null,
  ): void => {
    try {
      const value = decode();
      if (value !== null && value !== '') into[key] = value;
    } catch (error) {
      // Safe: all that is thrown below are errors.
      errors[`${group}.${key}`] = (error as Error).message;
    }
  };
  for (const [i, result] of results.entries()) {
    const text = TEXT_KEYS[i];
    const chain = CHAIN_KEYS[i - TEXT_KEYS.length];
    if (text !== undefined) take([records, 'records', text], () => decodeText(result));
    else if (chain !== undefined) take([chains, 'chains', chain], () => decodeChain(chain, result));
  }
  return { records, chains, errors };
}

function decodeText(result: Hex): string | null {
  if (!isAnswer(result)) return null;
  if (byteLength(result) > LONGEST_ENCODED) throw new Error(TEXT_TOO_LONG);
  const text = readAs(result, decodeString);
  if (text.length > LONGEST_TEXT) throw new Error(TEXT_TOO_LONG);
  return text;
}

function decodeChain(chain: ChainKey, result: Hex): string | null {
  return isAnswer(result) ? decodeAddress(chain, readAs(result, decodeBytes)) : null;
}

const decodeString = (result: Hex) => decodeAbiParameters([{ type: 'string' }], result)[0];
const decodeBytes = (result: Hex) => decodeAbiParameters([{ type: 'bytes' }], result)[0];

/** Throws the cause when the result is an error. Answers are whole words; errors have four bytes more. */
function isAnswer(result: Hex): boolean {
  if (result === '0x') return false;
  if (byteLength(result) % 32 !== 4) return true;
  if (byteLength(result) === 4 && ASKED.includes(result)) return false;
  const revert = decodeRevert(result);
  if (revert.kind !== 'absent') throw new Error(describeRevert(revert));
  // A resolver that has no such records; any other absence is not one of a record.
  if (revert.error !== 'UnsupportedResolverProfile') throw new Error(`reverted with ${revert.error}`);
  return false;
}

function readAs<T>(result: Hex, decode: (result: Hex) => T): T {
  try {
    return decode(result);
  } catch {
    throw new Error(`cannot be read: ${byteLength(result)} bytes from ${sliceHex(result, 0, 4)}`);
  }
}
