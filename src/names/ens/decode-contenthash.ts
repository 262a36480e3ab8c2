import { base32UnpaddedEncode } from '@ensdomains/address-encoder/utils';
import { byteLength, type Hex, hexToBuffer, sliceHex } from '../../protocol/hex.ts';

// ENSIP-7: a content hash is the varint of a namespace, then a CID:
//   e301 <cid>                    IPFS
//   e501 <cid>                    IPNS
//   e401 01 fa01 1b 20 <32 bytes> Swarm: version, codec, hash function, length, hash
const IPFS = '0xe301';
const IPNS = '0xe501';
const SWARM = '0xe40101fa011b20';
const SWARM_BYTES = 39;

/** Decodes a content hash to a URL, or to hex if its namespace is none of the above. Null if it is unset. */
export function decodeContenthash(value: Hex): string | null {
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
