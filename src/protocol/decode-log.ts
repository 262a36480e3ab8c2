import { abiBytes, decodeAbi } from './decode-abi.ts';
import type { Role, RoleOf } from './deployments.ts';
import { type Address, type Hex, sliceHex, textToHex } from './hex.ts';
import { decodeListOp, type IgnoredOp, type ListOp } from './list-op.ts';
import { slotKey } from './register-values.ts';

/** A parsed log with the time of its block. */
export interface ChainLog {
  readonly chainId: number;
  readonly blockNumber: number;
  readonly blockHash: Hex;
  /** Unix seconds. */
  readonly blockTime: number;
  readonly logIndex: number;
  readonly address: Address;
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

/** Single-valued properties of lists, slots and accounts: the last log sets the value. */
export type Register = 'owner' | 'location' | 'user' | 'manager' | 'primary-list';

/** The part of invalid ops, which are stored and counted but never folded. */
export const IGNORED_PART = 'ignored';

/**
 * What a log writes to its cell, the unit that a log changes: one register of a list, slot or account, or one record of a
 * slot. A log affects only its own cell, so every cell can be folded on its own.
 */
export interface CellWrite {
  readonly kind: 'write';
  /** `list/<token id>`, `account/<address>` or the key of a slot. */
  readonly subject: string;
  /** The name of a register, or the address of a record. */
  readonly part: Register | Address | typeof IGNORED_PART;
  /** The new value of the register, or the raw list op. */
  readonly payload: Hex;
  /** The decoded payload, if it is a valid list op. */
  readonly op?: ListOp;
  /** Why the op is invalid, if it is. */
  readonly ignored?: IgnoredOp['reason'];
}

export interface IgnoredLog {
  readonly kind: 'ignored';
  readonly reason: 'other-contract' | 'other-event' | 'malformed-event' | 'unknown-key';
}

/** The values that are not indexed: `bytes`, or a `string` and `bytes`. */
const ONE = [abiBytes] as const;
const TWO = [abiBytes, abiBytes] as const;

type Decoder = (log: ChainLog, indexed: Hex) => CellWrite | IgnoredLog;

const ignored = (reason: IgnoredLog['reason']): IgnoredLog => ({ kind: 'ignored', reason });

/** Keccak-256 hashes of the event signatures. A test recomputes them. */
export const EVENT_TOPICS = {
  Transfer: '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
  UpdateListStorageLocation: '0xe6504df8b76254e8326dba1d1fd1ac4936de28caf565b9c5a1ad0f10d6c98ec2',
  UpdateAccountMetadata: '0xb06274242dd2a52fd18fff983d5ad9b3122e1e65c4a3cf9bd6bb272b47f01131',
  ListOp: '0xb067630e3908f166069c77766250c553414e2745e742a562d533f29744a91a73',
  UpdateListMetadata: '0x59ae30478c6dc6ad258000ec5c1e2da773a457572397f6b85ddd54ab719ecd54',
} as const satisfies Record<string, Hex>;

const decoders: Readonly<Record<Role, Readonly<Record<string, Decoder>>>> = {
  'list-registry': {
    [EVENT_TOPICS.Transfer]: decodeTransfer,
    [EVENT_TOPICS.UpdateListStorageLocation]: decodeLocationUpdate,
  },
  'account-metadata': { [EVENT_TOPICS.UpdateAccountMetadata]: decodeAccountMetadata },
  'list-records': { [EVENT_TOPICS.ListOp]: decodeOp, [EVENT_TOPICS.UpdateListMetadata]: decodeListMetadata },
};

/**
 * Decodes an event of the protocol's contracts into the cell that it writes.
 * @see https://docs.efp.app/production/interpreting-state/
 */
export function decodeLog(roleOf: RoleOf, log: ChainLog): CellWrite | IgnoredLog {
  const role = roleOf(log.chainId, log.address);
  if (role === undefined) return ignored('other-contract');
  const [event, ...indexed] = log.topics;
  const decode = event === undefined ? undefined : decoders[role][event];
  if (decode === undefined) return ignored('other-event');
  const [first] = indexed;
  const expected = event === EVENT_TOPICS.Transfer ? 3 : 1;
  const fits = indexed.length === expected && indexed.every((topic) => topic.length === 66);
  return first !== undefined && fits ? decode(log, first) : ignored('malformed-event');
}

function decodeTransfer(log: ChainLog): CellWrite | IgnoredLog {
  const [, , to, tokenId] = log.topics;
  if (to === undefined || tokenId === undefined) return ignored('malformed-event');
  return { kind: 'write', subject: listSubject(tokenId), part: 'owner', payload: sliceHex(to, 12) };
}

function decodeLocationUpdate(log: ChainLog, tokenId: Hex): CellWrite | IgnoredLog {
  const [location] = decodeAbi(log.data, ONE) ?? [];
  if (location === undefined) return ignored('malformed-event');
  return { kind: 'write', subject: listSubject(tokenId), part: 'location', payload: location };
}

function decodeAccountMetadata(log: ChainLog, account: Hex): CellWrite | IgnoredLog {
  return decodeKeyValue(log, `account/${sliceHex(account, 12)}`, ['primary-list']);
}

function decodeListMetadata(log: ChainLog, slot: Hex): CellWrite | IgnoredLog {
  return decodeKeyValue(log, slotKey(log.chainId, log.address, slot), ['user', 'manager']);
}

/** Registers that are set by a metadata key, with the key as it is encoded on chain. */
const REGISTER_KEYS: Readonly<Partial<Record<Register, Hex>>> = {
  user: textToHex('user'),
  manager: textToHex('manager'),
  'primary-list': textToHex('primary-list'),
};

function decodeKeyValue(log: ChainLog, subject: string, known: readonly Register[]): CellWrite | IgnoredLog {
  const [key, payload] = decodeAbi(log.data, TWO) ?? [];
  if (key === undefined || payload === undefined) return ignored('malformed-event');
  const part = known.find((register) => REGISTER_KEYS[register] === key);
  return part === undefined ? ignored('unknown-key') : { kind: 'write', subject, part, payload };
}

function decodeOp(log: ChainLog, slot: Hex): CellWrite | IgnoredLog {
  const [payload] = decodeAbi(log.data, ONE) ?? [];
  if (payload === undefined) return ignored('malformed-event');
  const subject = slotKey(log.chainId, log.address, slot);
  const op = decodeListOp(payload);
  return op.kind === 'op'
    ? { kind: 'write', subject, part: op.record, payload, op }
    : { kind: 'write', subject, part: IGNORED_PART, payload, ignored: op.reason };
}

function listSubject(tokenId: Hex): string {
  return `list/${BigInt(tokenId)}`;
}
