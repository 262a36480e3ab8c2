import { decodeAbiParameters, encodeFunctionData, namehash, toFunctionSelector } from 'viem';
import { type Address, byteLength, type Hex, sliceHex } from '../../protocol/hex.ts';
import { type FetchedProfile, MAX_TEXT_LENGTH, TEXT_KEYS, TEXT_TOO_LONG } from '../profile-source.ts';
import { type ChainKey, COIN_TYPES, decodeAddress, decodeAddressWord } from './decode-address.ts';
import { decodeContenthash } from './decode-contenthash.ts';
import { decodeRevert, describeRevert, isGatewayNotFound, RECORD_ABSENCE_ERRORS } from './decode-revert.ts';
import { addressAbi, coinAddressAbi, contenthashAbi, multicallAbi, textAbi } from './universal-resolver.ts';

export type Records = Pick<FetchedProfile, 'records' | 'chains' | 'errors'>;
/** With the address that the name resolves to; null if it was not returned. */
export type ResolvedRecords = Records & { readonly account: Address | null };

/** ABI-encoded size of the longest text: four bytes per character, an offset and a length. */
const MAX_ENCODED_BYTES = MAX_TEXT_LENGTH * 4 + 64;

// Safe: COIN_TYPES is a literal without further keys.
const CHAIN_KEYS = Object.keys(COIN_TYPES) as ChainKey[];
/** Some batch gateways return the selector of the call in place of an empty result. */
const CALL_SELECTORS = [
  toFunctionSelector('text(bytes32,string)'),
  toFunctionSelector('addr(bytes32,uint256)'),
  toFunctionSelector('addr(bytes32)'),
  toFunctionSelector('contenthash(bytes32)'),
  toFunctionSelector('resolve(bytes,bytes)'),
];

/** Encodes one multicall for all records of a name: texts, addresses by chain, content hash, address of the account. */
export function encodeRecordsCall(name: string): Hex {
  const node = namehash(name);
  const texts = TEXT_KEYS.map((key) => encodeFunctionData({ abi: textAbi, args: [node, key] }));
  const addresses = CHAIN_KEYS.map((key) => encodeFunctionData({ abi: coinAddressAbi, args: [node, COIN_TYPES[key]] }));
  const contenthash = encodeFunctionData({ abi: contenthashAbi, args: [node] });
  const account = encodeFunctionData({ abi: addressAbi, args: [node] });
  return encodeFunctionData({ abi: multicallAbi, args: [[...texts, ...addresses, contenthash, account]] });
}

/** Decodes the results of that multicall. Returns null if their number is wrong. */
export function decodeRecords(results: readonly Hex[]): ResolvedRecords | null {
  if (results.length !== TEXT_KEYS.length + CHAIN_KEYS.length + 2) return null;
  const records: Record<string, string> = {};
  const chains: Record<string, string> = {};
  const errors: Record<string, string> = {};
  const decodeInto = (
    [into, group, key]: readonly [Record<string, string>, string, string],
    result: Hex,
    decode: (result: Hex) => string | null,
  ): void => {
    try {
      const value = hasValue(result) ? decode(result) : null;
      if (value !== null && value !== '') into[key] = value;
    } catch (error) {
      // Safe: the decoders below throw nothing but errors.
      errors[`${group}.${key}`] = (error as Error).message;
    }
  };
  const [contenthash = '0x', account = '0x'] = results.slice(-2);
  for (const [i, key] of TEXT_KEYS.entries()) {
    decodeInto([records, 'records', key], results[i] ?? '0x', decodeText);
  }
  for (const [i, chain] of CHAIN_KEYS.entries()) {
    const result = results[TEXT_KEYS.length + i] ?? '0x';
    decodeInto([chains, 'chains', chain], result, (value) => decodeChain(chain, value));
  }
  decodeInto([records, 'records', 'contenthash'], contenthash, decodeHash);
  return { records, chains, errors, account: decodeAddressWord(account) ?? null };
}

/** The result for a name whose records cannot be read, all for the same reason. */
export function failedRecords(reason: string): Records {
  const keys = [...TEXT_KEYS, 'contenthash'].map((key) => `records.${key}`);
  const chains = CHAIN_KEYS.map((key) => `chains.${key}`);
  return { records: {}, chains: {}, errors: Object.fromEntries([...keys, ...chains].map((key) => [key, reason])) };
}

function decodeText(result: Hex): string {
  if (byteLength(result) > MAX_ENCODED_BYTES) throw new Error(TEXT_TOO_LONG);
  const text = decodeOrThrow(result, decodeString);
  if (text.length > MAX_TEXT_LENGTH) throw new Error(TEXT_TOO_LONG);
  return text;
}

function decodeChain(chain: ChainKey, result: Hex): string | null {
  // Mainnet's first resolver of DNS names returns a word for the address on Ethereum instead of bytes.
  const address = chain === 'eth' ? decodeAddressWord(result) : undefined;
  return address === undefined ? decodeAddress(chain, decodeOrThrow(result, decodeBytes)) : address;
}

function decodeHash(result: Hex): string | null {
  if (byteLength(result) > MAX_ENCODED_BYTES) throw new Error(TEXT_TOO_LONG);
  return decodeContenthash(decodeOrThrow(result, decodeBytes));
}

const decodeString = (result: Hex) => decodeAbiParameters([{ type: 'string' }], result)[0];
const decodeBytes = (result: Hex) => decodeAbiParameters([{ type: 'bytes' }], result)[0];

/** Throws if the result is a revert. Return data is a multiple of 32 bytes; revert data has a 4-byte selector. */
function hasValue(result: Hex): boolean {
  if (result === '0x') return false;
  if (byteLength(result) % 32 !== 4) return true;
  if (byteLength(result) === 4 && CALL_SELECTORS.includes(result)) return false;
  const revert = decodeRevert(result);
  if (isGatewayNotFound(revert)) return false;
  if (revert.kind === 'absent' && RECORD_ABSENCE_ERRORS.includes(revert.error)) return false;
  throw new Error(describeRevert(revert));
}

function decodeOrThrow<T>(result: Hex, decode: (result: Hex) => T): T {
  try {
    return decode(result);
  } catch {
    throw new Error(`cannot be decoded: ${byteLength(result)} bytes starting with ${sliceHex(result, 0, 4)}`);
  }
}
