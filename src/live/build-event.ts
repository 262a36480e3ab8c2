import type { ChainEvent, EventSlot, EventType } from '../contract/event-schemas.ts';
import { isoFromSeconds } from '../contract/iso-time.ts';
import { isRelationTag } from '../graph/relation.ts';
import { type Address, type Hex, ZERO_ADDRESS } from '../protocol/hex.ts';
import { ACTIONS, type Opcode, plainOp } from '../protocol/list-op.ts';
import {
  decodePrimaryList,
  decodeRole,
  decodeStorageLocation,
  parseSlotKey,
  type SlotKey,
} from '../protocol/register-values.ts';
import { decodeTag } from '../protocol/tag.ts';
import { REGISTER_PARTS } from '../store/schema.ts';
import type { LogRow } from './read-logs.ts';

/** What an event says, before the position of the stream and the profile of its account are known. */
export type EventFacts = ChainEvent extends infer E
  ? E extends unknown
    ? Omit<E, 'id' | 'name' | 'avatar' | 'ens'>
    : never
  : never;

/** The slots and lists that an event makes an account's own, or not any more. */
export interface Concerns {
  readonly slots: readonly SlotKey[];
  readonly lists: readonly string[];
}

export interface BuiltEvent {
  readonly facts: EventFacts;
  /** Null for an event that changes no one's followers by itself, or only by the record that it names. */
  readonly concerns: Concerns | null;
}

/** The event of a stored log; null for a list op that is not valid. */
export function buildEvent(chainId: number, row: LogRow): BuiltEvent | null {
  const place = {
    chain_id: chainId,
    block: row.block,
    // Safe: the column holds the hash of a block.
    block_hash: row.hash as Hex,
    log_index: row.index,
    time: isoFromSeconds(row.time),
  };
  switch (row.part) {
    case REGISTER_PARTS.owner:
      return buildTransfer(row, place);
    case REGISTER_PARTS.location:
      return buildLocation(row, place);
    case REGISTER_PARTS.user:
    case REGISTER_PARTS.manager:
      return buildRole(row, place);
    case REGISTER_PARTS['primary-list']:
      return buildPrimary(row, place);
    default:
      return row.record === null ? null : { facts: buildOp(row, row.record, place), concerns: null };
  }
}

type Place = Pick<ChainEvent, 'chain_id' | 'block' | 'block_hash' | 'log_index' | 'time'>;

const hexOf = (payload: string): Hex => `0x${payload}`;

/** Chains have their slots and lists by these joins, so none is missing. */
function required<T>(value: T | null): T {
  if (value === null) throw new Error('a stored log without its subject');
  return value;
}

const MAX_SLOTS = 10_000;
const slots = new Map<SlotKey, EventSlot>();

/** Kept, because parsing them took a twentieth of the time of a history. */
function slotOf(key: SlotKey): EventSlot {
  let known = slots.get(key);
  if (known === undefined) {
    const { chainId, contract, slot } = parseSlotKey(key);
    known = { chain_id: Number(chainId), contract, slot: BigInt(slot).toString() };
    if (slots.size >= MAX_SLOTS) slots.clear();
    slots.set(key, known);
  }
  return known;
}

/** The list that has the records of the slot of a log, and the account of that list, as of now. */
function listOf({ user, primary_list, only_list, only_owner }: LogRow) {
  return {
    account: user ?? only_owner ?? '',
    list: primary_list ?? only_list ?? '',
    is_primary: primary_list !== null,
  };
}

function buildOp(row: LogRow, target: Address, place: Place): EventFacts {
  // Safe: the column holds what was decoded as an opcode.
  const opcode = row.opcode as Opcode;
  const { account, list, is_primary } = listOf(row);
  const op = { slot: slotOf(required(row.slot)), target, opcode, op: `${plainOp(opcode, target)}${row.payload}` };
  const of = <T extends EventType>(type: T) => ({ type, ...place, account, list, is_primary, ...op });
  const action = ACTIONS[opcode];
  if (action === 'follow' || action === 'unfollow') return of(action);
  const decoded = decodeTag(hexOf(row.payload));
  if (decoded.kind === 'ignored') throw new Error(`a stored op cannot be decoded: ${decoded.reason}`);
  const { tag } = decoded;
  if (!isRelationTag(tag)) return { ...of(action), tag };
  return { ...of(action === 'untag' ? (`un${tag}` as const) : tag), tag };
}

function buildTransfer(row: LogRow, place: Place): BuiltEvent {
  const list = required(row.token_id);
  const from = row.previous === null ? ZERO_ADDRESS : hexOf(row.previous);
  const to = hexOf(row.payload);
  const type = to === ZERO_ADDRESS ? 'burn' : from === ZERO_ADDRESS ? 'mint' : 'transfer';
  const account = type === 'burn' ? from : to;
  // A transfer leaves the user of the slot, and so the primary list, as they are.
  const concerns = type === 'transfer' ? null : { slots: [], lists: [list] };
  return { facts: { type, ...place, account, list, from }, concerns };
}

function buildLocation(row: LogRow, place: Place): BuiltEvent {
  const [slot, former] = [decodeStorageLocation(hexOf(row.payload)), decodeStorageLocation(hexOf(row.previous ?? ''))];
  const owner = row.owner === null ? ZERO_ADDRESS : hexOf(row.owner);
  const account = owner === ZERO_ADDRESS ? '' : owner;
  const facts = { ...place, account, list: required(row.token_id), slot: slot && slotOf(slot) };
  return {
    facts: { type: 'location', ...facts },
    concerns: { slots: [slot, former].filter((key) => key !== null), lists: [] },
  };
}

function buildRole(row: LogRow, place: Place): BuiltEvent {
  const slot = required(row.slot);
  const type = row.part === REGISTER_PARTS.user ? 'user' : 'manager';
  const facts = { ...place, account: decodeRole(hexOf(row.payload)) ?? '', list: listOf(row).list, slot: slotOf(slot) };
  return { facts: { type, ...facts }, concerns: type === 'user' ? { slots: [slot], lists: [] } : null };
}

function buildPrimary(row: LogRow, place: Place): BuiltEvent {
  const list = decodePrimaryList(hexOf(row.payload));
  const former = row.previous === null ? null : decodePrimaryList(hexOf(row.previous));
  return {
    facts: { type: 'primary', ...place, account: required(row.account), list: list ?? '' },
    concerns: { slots: [], lists: [list, former].filter((id) => id !== null) },
  };
}
