import type { Register } from '../../protocol/decode-log.ts';
import type { Address, Hex } from '../../protocol/hex.ts';
import { type ListOp, OPCODES } from '../../protocol/list-op.ts';
import { decodeRole } from '../../protocol/metadata.ts';
import { float64, int32, type Numbers, uint8 } from './numbers.ts';

/** The position of a log on its chain. All logs of a cell are of one chain. */
export interface Moment {
  readonly block: number;
  readonly index: number;
  /** Unix seconds. */
  readonly time: number;
}

export interface TransferColumns {
  /** Subject id of the list. */
  readonly list: Numbers<Int32Array>;
  /** Index into `addresses`, or `NO_ACCOUNT` where the list was burned. */
  readonly to: Numbers<Int32Array>;
  readonly block: Numbers<Float64Array>;
  readonly index: Numbers<Float64Array>;
}

export const NO_ACCOUNT = -1;

export interface OpColumns {
  /** Subject id of the slot. */
  readonly slot: Numbers<Int32Array>;
  /** Index into `addresses`. */
  readonly record: Numbers<Int32Array>;
  readonly time: Numbers<Float64Array>;
  readonly block: Numbers<Float64Array>;
  readonly index: Numbers<Float64Array>;
  readonly opcode: Numbers<Uint8Array>;
  /** Tag and raw bytes of ops with more than opcode and record. */
  readonly extras: Map<number, { readonly tag: string; readonly raw: Hex }>;
}

/** All logs as columns of numbers, to fit in memory. They are added in any order, each once. */
export class CollectedLogs {
  /** The last value of each register, by subject. */
  readonly registers: Readonly<Record<Register, Map<number, Moment & { readonly value: Hex }>>> = {
    owner: new Map(),
    location: new Map(),
    user: new Map(),
    manager: new Map(),
    'primary-list': new Map(),
  };
  readonly addresses: Address[] = [];
  readonly transfers: TransferColumns = { list: int32(), to: int32(), block: float64(), index: float64() };
  readonly ops: OpColumns = {
    slot: int32(),
    record: int32(),
    time: float64(),
    block: float64(),
    index: float64(),
    opcode: uint8(),
    extras: new Map(),
  };
  readonly #ids = new Map<Address, number>();

  addRegister(register: Register, subject: number, value: Hex, moment: Moment): void {
    const known = this.registers[register].get(subject);
    const isLater =
      known === undefined || moment.block > known.block || (moment.block === known.block && moment.index > known.index);
    if (isLater) this.registers[register].set(subject, { ...moment, value });
    if (register === 'owner') this.#addTransfer(subject, decodeRole(value), moment);
  }

  #addTransfer(list: number, to: Address | null, { block, index }: Moment): void {
    const { transfers } = this;
    transfers.list.push(list);
    transfers.to.push(to === null ? NO_ACCOUNT : this.idOf(to));
    transfers.block.push(block);
    transfers.index.push(index);
  }

  addOp(slot: number, { opcode, record, tag }: ListOp, raw: Hex, { block, index, time }: Moment): void {
    const { ops } = this;
    if (!isPlain(raw, opcode)) ops.extras.set(ops.slot.length, { tag, raw });
    ops.slot.push(slot);
    ops.record.push(this.idOf(record));
    ops.time.push(time);
    ops.block.push(block);
    ops.index.push(index);
    ops.opcode.push(opcode);
  }

  /** The id of an account, assigned on first use. */
  idOf(address: Address): number {
    let id = this.#ids.get(address);
    if (id === undefined) this.#ids.set(address, (id = this.addresses.push(address) - 1));
    return id;
  }
}

const PLAIN_LENGTH = '0x01010101'.length + 40;

/** Nearly all ops are follows or unfollows without appended bytes, which `plainOp` rebuilds: nothing is kept for them. */
function isPlain(raw: Hex, opcode: number): boolean {
  return (opcode === OPCODES.follow || opcode === OPCODES.unfollow) && raw.length === PLAIN_LENGTH;
}

/** The bytes of an op without appended ones. */
export function plainOp(opcode: number, record: Address): Hex {
  return `0x010${opcode}0101${record.slice(2)}`;
}
