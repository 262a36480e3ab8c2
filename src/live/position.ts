import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Deployment } from '../protocol/deployments.ts';

/** The place of a stored log in its chain: a stream has read everything up to it. */
export interface ChainPosition {
  readonly block: number;
  readonly index: number;
  /** The first bytes of the hash of the block, in hex without 0x. */
  readonly hash: string;
  /** A block that was final when the position was made. */
  readonly final: number;
  /** Which contracts that were added to the chain had been read completely: `indexed_contracts.history`. */
  readonly history: number;
}

/** A place in each chain. A chain that it does not have is read from its first log. */
export type Position = ReadonlyMap<number, ChainPosition>;

const HASH_DIGITS = 16;

/** The part of a block hash that a position has. */
export const hashPrefix = (hash: string) => hash.slice(2, 2 + HASH_DIGITS);

export const isSamePlace = (a: ChainPosition | undefined, b: ChainPosition | undefined) =>
  a === b || (a?.block === b?.block && a?.index === b?.index && a?.hash === b?.hash && a?.history === b?.history);

/** Whether two positions are the same place in every chain. */
export function isSamePosition(a: Position, b: Position): boolean {
  if (a.size !== b.size) return false;
  for (const [chainId, place] of a) if (!isSamePlace(place, b.get(chainId))) return false;
  return true;
}

/** Why a text is no id of this deployment. */
export type BadId = 'damaged' | 'other-deployment';

// Layout of an id before base64url. Numbers are unsigned LEB128.
//
//       +---------+------------+-- for each chain -----------------------------------+----------+
//       | version | deployment | chain id | block | log index | final | block hash   | checksum |
//       | = 1     | 4 bytes    | number   | number | number   | number | 8 bytes     | 4 bytes  |
//       +---------+------------+------------------------------------------------------+----------+
//
// Version 2 has the history, a number, after the hash of each block. It is used if any is above 0.
const VERSION = 1;
const WITH_HISTORY = 2;
const MARK_BYTES = 4;
const CHECKSUM_BYTES = 4;
const HASH_BYTES = HASH_DIGITS / 2;
const BASE64URL = /^[A-Za-z0-9_-]+$/;
/** More chains than any deployment has. */
const MAX_ID_LENGTH = 1024;
/** An id is made for each event: new buffers took half of the time of a history. */
const scratch = Buffer.alloc(MAX_ID_LENGTH);

export type PositionCodec = ReturnType<typeof createPositionCodec>;

/** Positions as opaque text, for the streams of one deployment. */
export function createPositionCodec({ contracts }: Deployment) {
  // Without those that were added: the position says which of them it knows.
  const own = contracts.filter(({ startBlock }) => startBlock === undefined);
  const named = own.map(({ chainId, role, address }) => `${chainId} ${role} ${address}`).sort();
  const mark = createHash('sha256').update(named.join('\n')).digest().subarray(0, MARK_BYTES);
  return {
    encode(position: Position): string {
      let end = 1 + MARK_BYTES;
      const chains = chainsOf(position);
      const withHistory = chains.some((chain) => position.get(chain)?.history !== 0);
      scratch[0] = withHistory ? WITH_HISTORY : VERSION;
      mark.copy(scratch, 1);
      // In one order, so that a place has one id.
      for (const chain of chains) {
        const { block, index, final, hash, history } = position.get(chain) as ChainPosition;
        end = writeNumber(final, writeNumber(index, writeNumber(block, writeNumber(chain, end))));
        end += scratch.write(hash, end, HASH_BYTES, 'hex');
        if (withHistory) end = writeNumber(history, end);
      }
      const after = scratch.writeUInt32BE(crc32(scratch.subarray(0, end)), end);
      return scratch.toString('base64url', 0, after);
    },

    decode(text: string): Position | BadId {
      if (text.length > MAX_ID_LENGTH || !BASE64URL.test(text)) return 'damaged';
      const bytes = Buffer.from(text, 'base64url');
      // A text whose last character has unused bits would be a second spelling of the id.
      if (bytes.length < 1 + MARK_BYTES + CHECKSUM_BYTES || bytes.toString('base64url') !== text) return 'damaged';
      const end = bytes.length - CHECKSUM_BYTES;
      if (bytes.readUInt32BE(end) !== crc32(bytes.subarray(0, end))) return 'damaged';
      const [version] = bytes;
      if (version !== VERSION && version !== WITH_HISTORY) return 'damaged';
      if (!bytes.subarray(1, 1 + MARK_BYTES).equals(mark)) return 'other-deployment';
      return decodeChains(bytes.subarray(1 + MARK_BYTES, end), version === WITH_HISTORY) ?? 'damaged';
    },
  };
}

function decodeChains(bytes: Buffer, withHistory: boolean): Position | null {
  const position = new Map<number, ChainPosition>();
  let at = 0;
  const readNumber = (): number => {
    let number = 0;
    for (let scale = 1; at < bytes.length; scale *= 128) {
      const byte = bytes[at++] ?? 0;
      number += (byte & 127) * scale;
      if (byte < 128) return Number.isSafeInteger(number) ? number : Number.NaN;
    }
    return Number.NaN;
  };
  while (at < bytes.length) {
    const [chainId, block, index, final] = [readNumber(), readNumber(), readNumber(), readNumber()];
    const hash = bytes.subarray(at, at + HASH_BYTES).toString('hex');
    at += HASH_BYTES;
    const history = withHistory ? readNumber() : 0;
    if (Number.isNaN(chainId + block + index + final + history) || at > bytes.length) return null;
    position.set(chainId, { block, index, final, hash, history });
  }
  // Else it would be a second spelling of an id.
  return withHistory && [...position.values()].every(({ history }) => history === 0) ? null : position;
}

function chainsOf(position: Position): number[] {
  const chains = [...position.keys()];
  return chains.length > 1 ? chains.sort((a, b) => a - b) : chains;
}

/** Writes a number at an offset of the scratch buffer, and returns where it ends. */
function writeNumber(number: number, offset: number): number {
  let [rest, at] = [number, offset];
  for (; rest >= 128; rest = Math.floor(rest / 128)) scratch[at++] = (rest % 128) + 128;
  scratch[at++] = rest;
  return at;
}
