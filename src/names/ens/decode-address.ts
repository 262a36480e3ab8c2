import { btc } from '@ensdomains/address-encoder/coins';
import { toCoinType } from 'viem/ens';
import { type Address, byteLength, type Hex, hexToBuffer, ZERO_ADDRESS } from '../../protocol/hex.ts';

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

export type ChainKey = keyof typeof COIN_TYPES;

/** Stricter than an ABI decoder, which would also accept other return data as an address. */
const ADDRESS_WORD = /^0x0{24}([0-9a-f]{40})$/;

/** Decodes the return data of `addr(bytes32)`. Returns undefined if it is not an address; the zero address is null. */
export function decodeAddressWord(result: Hex): Address | null | undefined {
  const [, digits] = ADDRESS_WORD.exec(result) ?? [];
  if (digits === undefined) return undefined;
  const address: Address = `0x${digits}`;
  return address === ZERO_ADDRESS ? null : address;
}

/** Decodes an address record to the text form of its chain. Returns null if it is unset; throws if it is invalid. */
export function decodeAddress(chain: ChainKey, value: Hex): string | null {
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
