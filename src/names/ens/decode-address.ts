import { btc } from '@ensdomains/address-encoder/coins';
import { toCoinType } from 'viem/ens';
import { byteLength, type Hex, hexToBuffer, ZERO_ADDRESS } from '../../protocol/hex.ts';

/** The chains that addresses are asked for, by their keys, with ENS's numbers for them (SLIP-44, ENSIP-11). */
export const COIN_TYPES = {
  eth: toCoinType(1),
  btc: BigInt(btc.coinType),
  op: toCoinType(10),
  base: toCoinType(8453),
  arb1: toCoinType(42161),
  matic: toCoinType(137),
  gno: toCoinType(100),
} as const;

export type ChainKey = keyof typeof COIN_TYPES;

/** The address that the bytes of a record stand for, as its chain writes it; null for none. Throws if they are none. */
export function decodeAddress(chain: ChainKey, value: Hex): string | null {
  if (value === '0x') return null;
  if (chain === 'btc') return decodeBitcoinAddress(hexToBuffer(value));
  if (byteLength(value) !== 20) throw new Error(`${byteLength(value)} bytes are not an address`);
  return value === ZERO_ADDRESS ? null : value;
}

function decodeBitcoinAddress(script: Uint8Array): string {
  let address: string;
  try {
    address = btc.encode(script);
  } catch {
    throw new Error('the script has no address');
  }
  // The coder takes the lengths inside a script on trust.
  if (!hasWholeProgram(script) || Buffer.compare(btc.decode(address), script) !== 0) {
    throw new Error('the script has no address');
  }
  return address;
}

/** Whether what follows a version of segregated witness has a length that this version allows (BIP-141). */
function hasWholeProgram(script: Uint8Array): boolean {
  const [version = 0] = script;
  const bytes = script.length - 2;
  if (version === 0) return bytes === 20 || bytes === 32;
  return version < 0x51 || version > 0x60 || (bytes >= 2 && bytes <= 40);
}
