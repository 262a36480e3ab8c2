import type { Register } from '../../protocol/decode-log.ts';
import { decodeRole } from '../../protocol/metadata.ts';
import { decodeTag } from '../../protocol/tag.ts';
import { Ids, tagKey } from '../../rows/ids.ts';
import { isIgnoredOp, isOp, partName } from '../../rows/stored-log.ts';
import type { Row } from '../../store/schema.ts';
import type { Transaction } from '../../store/store.ts';
import { CollectedLogs, NO_ACCOUNT } from './collected-logs.ts';

/** Rows per read. */
const CHUNK = 10_000;

/** Collects all stored logs. `onProgress` gets the number of logs read so far. */
export async function collectStoredLogs(tx: Transaction, onProgress: (logs: number) => void) {
  const collected = new CollectedLogs();
  const ids = await Ids.readAll(tx);
  let count = 0;
  for await (const rows of readChunks(tx)) {
    collectRows(collected, ids, rows);
    onProgress((count += rows.length));
  }
  return { collected, ids };
}

export function collectRows(collected: CollectedLogs, ids: Ids, rows: readonly Row<'logs'>[]): void {
  for (const row of rows) collectRow(collected, ids, row);
}

function collectRow(collected: CollectedLogs, ids: Ids, row: Row<'logs'>): void {
  const { subject, part, opcode, payload } = row;
  const moment = { block: row.block_number, index: row.log_index, time: row.block_time };
  if (isOp(row)) {
    const tag = opcode > 2 ? tagIn(payload) : '';
    if (tag !== '') ids.number([tagKey(tag)]);
    collected.addOp(subject, part, opcode, tag, moment);
  } else if (!isIgnoredOp(row)) {
    // Safe: a part that is neither a record nor ignored is a register.
    const register = partName(part) as Register;
    const value = `0x${payload}` as const;
    collected.addRegister(register, subject, value, moment);
    if (register === 'owner') collected.addTransfer(subject, accountIn(ids, decodeRole(value)), moment);
  }
}

/** The id of an account, assigned on first use. */
function accountIn(ids: Ids, address: string | null): number {
  if (address === null) return NO_ACCOUNT;
  ids.number([address]);
  return ids.requireId(address);
}

function tagIn(payload: string): string {
  const decoded = decodeTag(`0x${payload}`);
  if (decoded.kind !== 'tag') throw new Error(`a stored tag cannot be decoded: ${decoded.reason}`);
  return decoded.tag;
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
