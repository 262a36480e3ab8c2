import type { Register } from '../../protocol/decode-log.ts';
import type { Hex } from '../../protocol/hex.ts';
import { float64, int32, uint8 } from './numbers.ts';

/** The position of a log on its chain. All logs of a cell are of one chain. */
export interface Moment {
  readonly block: number;
  readonly index: number;
  /** Unix seconds. */
  readonly time: number;
}

export const NO_ACCOUNT = -1;

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
  readonly transfers = {
    /** Id of the list. */
    list: int32(),
    /** Id of the account, or `NO_ACCOUNT` where the list was burned. */
    to: int32(),
    block: float64(),
    index: float64(),
  };
  readonly ops = {
    /** Id of the slot. */
    slot: int32(),
    /** Id of the account. */
    record: int32(),
    time: float64(),
    block: float64(),
    index: float64(),
    opcode: uint8(),
    /** By op, only for ops with a tag. */
    tags: new Map<number, string>(),
  };

  addRegister(register: Register, subject: number, value: Hex, moment: Moment): void {
    const known = this.registers[register].get(subject);
    const isLater =
      known === undefined || moment.block > known.block || (moment.block === known.block && moment.index > known.index);
    if (isLater) this.registers[register].set(subject, { ...moment, value });
  }

  /** `to` is the id of an account, or `NO_ACCOUNT`. */
  addTransfer(list: number, to: number, { block, index }: Moment): void {
    const { transfers } = this;
    transfers.list.push(list);
    transfers.to.push(to);
    transfers.block.push(block);
    transfers.index.push(index);
  }

  /** `slot` and `record` are ids. */
  addOp(slot: number, record: number, opcode: number, tag: string, { block, index, time }: Moment): void {
    const { ops } = this;
    if (tag !== '') ops.tags.set(ops.slot.length, tag);
    ops.slot.push(slot);
    ops.record.push(record);
    ops.time.push(time);
    ops.block.push(block);
    ops.index.push(index);
    ops.opcode.push(opcode);
  }
}

export type TransferColumns = CollectedLogs['transfers'];
export type OpColumns = CollectedLogs['ops'];
