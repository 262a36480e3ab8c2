import type { Register } from '../../protocol/decode-log.ts';
import type { Hex } from '../../protocol/hex.ts';
import { decodeRole } from '../../protocol/register-values.ts';
import { decodeTag } from '../../protocol/tag.ts';
import { Ids, tagKey } from '../../rows/ids.ts';
import { isIgnoredOp, isIntact, isOp, partName } from '../../rows/stored-log.ts';
import type { Row } from '../../store/schema.ts';
import { CorruptDatabaseError, type Transaction } from '../../store/store.ts';
import { float64, int32, uint8 } from './numbers.ts';

/** The value of a register and the position of its log. All logs of a cell are of one chain. */
interface LastValue {
  readonly block: number;
  readonly index: number;
  readonly value: Hex;
}

export const NO_ACCOUNT = -1;

/** All logs as columns of numbers, to fit in memory. They are added in any order, each once. */
export class CollectedLogs {
  /** The last value of each register, by subject. */
  readonly registers: Readonly<Record<Register, Map<number, LastValue>>> = {
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

  /** How many logs were added, and how many of them are invalid ops. */
  logs = 0;
  ignoredOps = 0;

  add(ids: Ids, row: Row<'logs'>): void {
    const { subject, part, opcode, payload, block_number: block, log_index: index, block_time: time } = row;
    this.logs += 1;
    if (isOp(row)) {
      const { ops } = this;
      const tag = opcode > 2 ? tagIn(row) : '';
      if (tag !== '') {
        ids.number([tagKey(tag)]);
        ops.tags.set(ops.slot.length, tag);
      }
      ops.slot.push(subject);
      ops.record.push(part);
      ops.time.push(time);
      ops.block.push(block);
      ops.index.push(index);
      ops.opcode.push(opcode);
    } else if (isIgnoredOp(row)) {
      this.ignoredOps += 1;
    } else {
      // Safe: a part that is neither a record nor ignored is a register.
      const register = partName(part) as Register;
      const value = `0x${payload}` as const;
      const known = this.registers[register].get(subject);
      const isLater = known === undefined || block > known.block || (block === known.block && index > known.index);
      if (isLater) this.registers[register].set(subject, { block, index, value });
      if (register !== 'owner') return;
      const { transfers } = this;
      transfers.list.push(subject);
      transfers.to.push(accountIn(ids, decodeRole(value)));
      transfers.block.push(block);
      transfers.index.push(index);
    }
  }
}

export type TransferColumns = CollectedLogs['transfers'];
export type OpColumns = CollectedLogs['ops'];

/** Rows per read. */
const CHUNK = 10_000;

/** Collects all stored logs. `onProgress` gets the number of logs read so far. */
export async function collectStoredLogs(tx: Transaction, onProgress: (logs: number) => void) {
  const collected = new CollectedLogs();
  const ids = await Ids.readAll(tx);
  for await (const rows of readChunks(tx)) {
    for (const row of rows) if (!isIntact(ids, row)) throw damaged(row);
    for (const row of rows) collected.add(ids, row);
    onProgress(collected.logs);
  }
  return { collected, ids };
}

/** The id of an account, assigned on first use. */
function accountIn(ids: Ids, address: string | null): number {
  if (address === null) return NO_ACCOUNT;
  ids.number([address]);
  return ids.requireId(address);
}

function tagIn(row: Row<'logs'>): string {
  const decoded = decodeTag(`0x${row.payload}`);
  if (decoded.kind !== 'tag') throw damaged(row);
  return decoded.tag;
}

/** For a row that Kith did not write: skipping it would leave the graph wrong without a trace. */
function damaged({ chain_id, block_number, log_index }: Row<'logs'>): Error {
  return new CorruptDatabaseError(
    `log ${log_index} of block ${block_number} of chain ${chain_id} is damaged; run kith verify --all --repair`,
  );
}

async function* readChunks(tx: Transaction): AsyncGenerator<Row<'logs'>[]> {
  let after = { chain_id: 0, block_number: 0, log_index: 0 };
  for (;;) {
    const { chain_id, block_number, log_index } = after;
    const rows = await tx.query((db) =>
      db
        .selectFrom('logs')
        .selectAll()
        .where((eb) =>
          eb(eb.refTuple('chain_id', 'block_number', 'log_index'), '>', eb.tuple(chain_id, block_number, log_index)),
        )
        .orderBy('chain_id')
        .orderBy('block_number')
        .orderBy('log_index')
        .limit(CHUNK),
    );
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = last;
  }
}
