import { IGNORED_PART, type Register } from '../../protocol/decode-log.ts';
import type { Hex } from '../../protocol/hex.ts';
import type { ListOp } from '../../protocol/list-op.ts';
import { isRecord } from '../../rows/cells.ts';
import { decodeStoredOp, SubjectIds } from '../../rows/stored-log.ts';
import type { Row } from '../../store/schema.ts';
import type { Transaction } from '../../store/store.ts';
import type { FreshLogs } from '../ingest-logs.ts';
import { CollectedLogs, type Moment } from './collected-logs.ts';

/** Rows per read. */
const CHUNK = 10_000;

/** Collects all stored logs. `onProgress` gets the number of logs read so far. */
export async function collectStoredLogs(tx: Transaction, onProgress: (logs: number) => void) {
  const collected = new CollectedLogs();
  const subjects = new SubjectIds();
  let count = 0;
  for await (const rows of readChunks(tx)) {
    await subjects.name(
      tx,
      rows.map((row) => row.subject),
    );
    for (const row of rows) collectRow(collected, row);
    onProgress((count += rows.length));
  }
  return { collected, subjects };
}

function collectRow(collected: CollectedLogs, row: Row<'logs'>): void {
  const { subject, part, payload, block_number: block, log_index: index, block_time: time } = row;
  const op = isRecord(part) ? decodeStoredOp(payload) : undefined;
  collect(collected, subject, part, payload, op, { block, index, time });
}

/** Collects logs that have just been decoded and stored. */
export function collectFresh(collected: CollectedLogs, { logs, subjects }: FreshLogs): void {
  for (const [i, { source, cell }] of logs.entries()) {
    const moment = { block: source.blockNumber, index: source.logIndex, time: source.blockTime };
    // Safe: there is a subject for every log.
    collect(collected, subjects[i] as number, cell.part, cell.payload, cell.op, moment);
  }
}

function collect(
  collected: CollectedLogs,
  subject: number,
  part: string,
  payload: Hex,
  op: ListOp | undefined,
  moment: Moment,
): void {
  if (op !== undefined) collected.addOp(subject, op, payload, moment);
  // Safe: a part that is neither a record nor ignored is a register.
  else if (part !== IGNORED_PART) collected.addRegister(part as Register, subject, payload, moment);
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
