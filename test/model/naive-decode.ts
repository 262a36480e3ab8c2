import { decodeAbiParameters, type Hex } from 'viem';
import type { RawLog } from '../../src/protocol/parse-log.ts';
import { type Contract, type Deployment, TOPICS, ZERO_ADDRESS } from './mainnet.ts';

/** A decoded log without its position. Null clears a register. */
export type NaiveEvent =
  | { readonly kind: 'transfer'; readonly tokenId: bigint; readonly to: string }
  | { readonly kind: 'location'; readonly tokenId: bigint; readonly slot: string | null }
  | { readonly kind: 'primary-list'; readonly account: string; readonly tokenId: bigint | null }
  | { readonly kind: 'other-account-key'; readonly account: string }
  | { readonly kind: 'user'; readonly slot: string; readonly user: string | null }
  | { readonly kind: 'manager'; readonly slot: string; readonly manager: string | null }
  | NaiveOp
  | { readonly kind: 'ignored' };

export interface NaiveOp {
  readonly kind: 'op';
  readonly slot: string;
  readonly opcode: 1 | 2 | 3 | 4;
  readonly record: string;
  /** Empty for the opcodes 1 and 2. */
  readonly tag: string;
  readonly raw: string;
}

const IGNORED: NaiveEvent = { kind: 'ignored' };

export function decodeLog(log: RawLog, deployment: Deployment): NaiveEvent {
  const isFrom = (contract: Contract) =>
    contract.chainId === log.chainId && contract.address === log.address.toLowerCase();
  const [event, ...indexed] = log.topics.map((topic) => topic.toLowerCase());
  const first = indexed[0] ?? '0x';

  if (isFrom(deployment.registry)) {
    if (event === TOPICS.transfer && indexed.length === 3) {
      return { kind: 'transfer', tokenId: BigInt(indexed[2] ?? ''), to: addressOfWord(indexed[1] ?? '') };
    }
    if (event === TOPICS.location && indexed.length === 1) {
      const [location] = decodeBytes(log.data, 1);
      return location ? { kind: 'location', tokenId: BigInt(first), slot: slotOfLocation(location) } : IGNORED;
    }
  }
  if (isFrom(deployment.accountMetadata) && event === TOPICS.accountMetadata && indexed.length === 1) {
    const [key, value] = decodeBytes(log.data, 2);
    if (!key || !value) return IGNORED;
    const account = addressOfWord(first);
    return isText(key, 'primary-list')
      ? { kind: 'primary-list', account, tokenId: numberOfPrimaryList(value) }
      : { kind: 'other-account-key', account };
  }
  if (deployment.records.some(isFrom) && indexed.length === 1) {
    const slot = slotKey(BigInt(log.chainId), log.address.toLowerCase(), BigInt(first));
    if (event === TOPICS.listOp) {
      const [op] = decodeBytes(log.data, 1);
      return op ? decodeOp(slot, op) : IGNORED;
    }
    if (event === TOPICS.listMetadata) {
      const [key, value] = decodeBytes(log.data, 2);
      if (!key || !value) return IGNORED;
      if (isText(key, 'user')) return { kind: 'user', slot, user: addressOfRole(value) };
      if (isText(key, 'manager')) return { kind: 'manager', slot, manager: addressOfRole(value) };
    }
  }
  return IGNORED;
}

/** version(1)=1 | opcode(1) | record version(1)=1 | record type(1)=1 | address(20) | tag */
function decodeOp(slot: string, op: Buffer): NaiveEvent {
  if (op.length < 24 || op[0] !== 1 || op[2] !== 1 || op[3] !== 1) return IGNORED;
  const opcode = op[1];
  const record = hex(op.subarray(4, 24));
  if (opcode === 1 || opcode === 2) return { kind: 'op', slot, opcode, record, tag: '', raw: hex(op) };
  if (opcode !== 3 && opcode !== 4) return IGNORED;
  const tag = decodeTag(op.subarray(24));
  return tag === '' ? IGNORED : { kind: 'op', slot, opcode, record, tag, raw: hex(op) };
}

/** The empty string for bytes that are not a valid tag. */
function decodeTag(bytes: Buffer): string {
  if (bytes.length > 255) return '';
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replaceAll('\0', '').trim().toLowerCase();
  } catch {
    return '';
  }
}

/** version(1)=1 | type(1)=1 | chainId(32) | contract(20) | slot(32) */
function slotOfLocation(bytes: Buffer): string | null {
  if (bytes.length !== 86 || bytes[0] !== 1 || bytes[1] !== 1) return null;
  return slotKey(number(bytes.subarray(2, 34)), hex(bytes.subarray(34, 54)), number(bytes.subarray(54, 86)));
}

function addressOfRole(bytes: Buffer): string | null {
  return bytes.length === 20 && hex(bytes) !== ZERO_ADDRESS ? hex(bytes) : null;
}

function numberOfPrimaryList(bytes: Buffer): bigint | null {
  return bytes.length >= 1 && bytes.length <= 32 ? number(bytes) : null;
}

function slotKey(chainId: bigint, contract: string, slot: bigint): string {
  return `${chainId}/${contract}/${slot}`;
}

/** `string` and `bytes` are encoded alike; reading keys as bytes keeps a byte order mark. */
function decodeBytes(data: string, count: 1 | 2): Buffer[] {
  try {
    const types = Array.from({ length: count }, () => ({ type: 'bytes' }) as const);
    // Safe: a list of `bytes` parameters decodes to as many hex strings.
    const values = decodeAbiParameters(types, data as Hex) as readonly Hex[];
    return values.map((value) => Buffer.from(value.slice(2), 'hex'));
  } catch {
    return [];
  }
}

const isText = (bytes: Buffer, text: string) => bytes.equals(Buffer.from(text, 'utf8'));
const hex = (bytes: Buffer) => `0x${bytes.toString('hex')}`;
const number = (bytes: Buffer) => BigInt(hex(bytes));
const addressOfWord = (word: string) => `0x${word.slice(-40)}`;
