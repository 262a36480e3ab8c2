import { btc } from '@ensdomains/address-encoder/coins';
import { base32UnpaddedEncode } from '@ensdomains/address-encoder/utils';
import { encodeFunctionData, namehash, toFunctionSelector } from 'viem';
import { toCoinType } from 'viem/ens';
import { type AbiType, abiArray, abiBytes, abiString, decodeAbi } from '../../protocol/decode-abi.ts';
import { type Address, byteLength, type Hex, hexToBuffer, sliceHex, ZERO_ADDRESS } from '../../protocol/hex.ts';
import { type FetchedProfile, MAX_TEXT_LENGTH, TEXT_KEYS, TEXT_TOO_LONG } from '../profile-source.ts';
import { decodeRevert, describeRevert, isGatewayNotFound, RECORD_ABSENCE_ERRORS } from './decode-revert.ts';
import { addressAbi, coinAddressAbi, contenthashAbi, multicallAbi, textAbi } from './universal-resolver.ts';

/** ENS coin types (SLIP-44, ENSIP-11) of the chains whose addresses are fetched. */
export const COIN_TYPES = {
  eth: toCoinType(1),
  btc: BigInt(btc.coinType),
  op: toCoinType(10),
  base: toCoinType(8453),
  arb1: toCoinType(42161),
  matic: toCoinType(137),
  gno: toCoinType(100),
} as const;

type ChainKey = keyof typeof COIN_TYPES;

/** Stricter than an ABI decoder, which would also accept other return data as an address. */
const ADDRESS_WORD = /^0x0{24}([0-9a-f]{40})$/;

export type Records = Pick<FetchedProfile, 'records' | 'chains' | 'errors'>;
/** With the address that the name resolves to; null if it was not returned. */
export type ResolvedRecords = Records & { readonly account: Address | null };

/** ABI-encoded size of the longest text: four bytes per character, an offset and a length. */
const MAX_ENCODED_BYTES = MAX_TEXT_LENGTH * 4 + 64;
/** That of the longest content hash, whose text has two characters per byte at most. Encoding 64 KiB takes 40 ms or more. */
const MAX_ENCODED_HASH_BYTES = MAX_TEXT_LENGTH / 2 + 64;
const ZERO_WORD: Hex = `0x${'0'.repeat(64)}`;

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

/** Decodes the return data of that multicall. Returns null if it is malformed, or their number is wrong. */
export function decodeRecords(data: Hex): ResolvedRecords | null {
  const [results] = decodeAbi(data, [abiArray(abiBytes, TEXT_KEYS.length + CHAIN_KEYS.length + 2)]) ?? [];
  if (results === undefined) return null;
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
  const text = decodeOrThrow(result, abiString);
  if (text.length > MAX_TEXT_LENGTH) throw new Error(TEXT_TOO_LONG);
  return text;
}

function decodeChain(chain: ChainKey, result: Hex): string | null {
  // Mainnet's first resolver of DNS names returns a word for the address on Ethereum instead of bytes.
  const address = chain === 'eth' ? decodeAddressWord(result) : undefined;
  return address === undefined ? decodeAddress(chain, decodeOrThrow(result, abiBytes)) : address;
}

function decodeHash(result: Hex): string | null {
  if (byteLength(result) > MAX_ENCODED_HASH_BYTES) throw new Error(TEXT_TOO_LONG);
  return decodeContenthash(decodeOrThrow(result, abiBytes));
}

/** Throws if the result is a revert. Return data is a multiple of 32 bytes; revert data has a 4-byte selector. */
function hasValue(result: Hex): boolean {
  // Data without an offset is no value; decoders that follow a zero offset read it as an empty one.
  if (result === '0x' || result === ZERO_WORD) return false;
  if (byteLength(result) % 32 !== 4) return true;
  if (byteLength(result) === 4 && CALL_SELECTORS.includes(result)) return false;
  const revert = decodeRevert(result);
  if (isGatewayNotFound(revert)) return false;
  if (revert.kind === 'absent' && RECORD_ABSENCE_ERRORS.includes(revert.error)) return false;
  throw new Error(describeRevert(revert));
}

function decodeOrThrow<T>(result: Hex, type: AbiType<T>): T {
  const values = decodeAbi(result, [type]);
  if (values !== null) return values[0];
  throw new Error(`cannot be decoded: ${byteLength(result)} bytes starting with ${sliceHex(result, 0, 4)}`);
}

// ENSIP-7: a content hash is the varint of a namespace, then a CID:
//   e301 <cid>                    IPFS
//   e501 <cid>                    IPNS
//   e401 01 fa01 1b 20 <32 bytes> Swarm: version, codec, hash function, length, hash
const IPFS = '0xe301';
const IPNS = '0xe501';
const SWARM = '0xe40101fa011b20';
const SWARM_BYTES = 39;

/** Decodes a content hash to a URL, or to hex if its namespace is none of the above. Null if it is unset. */
function decodeContenthash(value: Hex): string | null {
  if (value === '0x') return null;
  if (value.startsWith(IPFS)) return `ipfs://${encodeCid(sliceHex(value, 2))}`;
  if (value.startsWith(IPNS)) return `ipns://${encodeCid(sliceHex(value, 2))}`;
  if (value.startsWith(SWARM) && byteLength(value) === SWARM_BYTES) return `bzz://${sliceHex(value, 7).slice(2)}`;
  return value;
}

/** The text form of a CID of version 1: multibase prefix `b`, then base 32 in lower case. */
function encodeCid(cid: Hex): string {
  return `b${base32UnpaddedEncode(hexToBuffer(cid)).toLowerCase()}`;
}

/** Decodes the return data of `addr(bytes32)`. Returns undefined if it is not an address; the zero address is null. */
export function decodeAddressWord(result: Hex): Address | null | undefined {
  const [, digits] = ADDRESS_WORD.exec(result) ?? [];
  if (digits === undefined) return undefined;
  const address: Address = `0x${digits}`;
  return address === ZERO_ADDRESS ? null : address;
}

/** Decodes an address record to the text form of its chain. Returns null if it is unset; throws if it is invalid. */
function decodeAddress(chain: ChainKey, value: Hex): string | null {
  if (value === '0x') return null;
  if (chain === 'btc') return decodeBitcoinAddress(hexToBuffer(value));
  if (byteLength(value) !== 20) throw new Error(`${byteLength(value)} bytes is not an address length`);
  return value === ZERO_ADDRESS ? null : value;
}

function decodeBitcoinAddress(script: Uint8Array): string {
  let address: string;
  try {
    address = btc.encode(script);
  } catch {
    throw new Error('the script does not encode an address');
  }
  // The encoder does not check the lengths inside the script, so verify the round trip.
  if (!hasValidProgramLength(script) || Buffer.compare(btc.decode(address), script) !== 0) {
    throw new Error('the script does not encode an address');
  }
  return address;
}

/** Whether a witness program has a length that its version allows (BIP-141). */
function hasValidProgramLength(script: Uint8Array): boolean {
  const [version = 0] = script;
  const bytes = script.length - 2;
  if (version === 0) return bytes === 20 || bytes === 32;
  return version < 0x51 || version > 0x60 || (bytes >= 2 && bytes <= 40);
}
