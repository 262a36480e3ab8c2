import { overlap } from '../../async/batches.ts';
import { tagKey } from '../../rows/ids.ts';
import { NO_TAG } from '../../rows/notification-rows.ts';
import type { Row } from '../../store/schema.ts';
import type { Transaction } from '../../store/store.ts';
import { NO_ACCOUNT } from './collected-logs.ts';
import { compareMoments } from './fold-graph.ts';
import { inChunks } from './in-chunks.ts';
import { groupBy, groupOf } from './numbers.ts';
import type { RowInputs } from './row-inputs.ts';

type NotificationRows = Row<'notifications'>[];

/** Writes the notifications of every account in key order into the empty table. */
export async function writeAllNotifications(tx: Transaction, inputs: RowInputs): Promise<void> {
  await overlap(notificationRows(inputs), (rows) => tx.insert('notifications', rows));
}

function notificationRows({ ids, collected: { ops }, accountOf, accounts }: RowInputs): Generator<NotificationRows> {
  const byRecord = groupBy(ops.record, ids.end);
  // The key of a slot starts with the id of its chain.
  const chainOf = Float64Array.from(accountOf, (account, slot) =>
    account === NO_ACCOUNT ? 0 : Number.parseInt(ids.keyOf(slot), 10),
  );
  // Safe, here and below: every slot has an entry.
  const sourceOf = (op: number) => accountOf[ops.slot.at(op)] as number;
  const chain = (op: number) => chainOf[ops.slot.at(op)] as number;

  function addRows(rows: NotificationRows, target: number): void {
    const counted = groupOf(byRecord, target).filter((op) => {
      const source = sourceOf(op);
      return source !== NO_ACCOUNT && source !== target;
    });
    counted.sort((a, b) => ops.time.at(a) - ops.time.at(b) || chain(a) - chain(b) || compareMoments(ops, a, b));
    for (const op of counted) {
      const tag = ops.tags.get(op);
      rows.push({
        target,
        time: ops.time.at(op),
        chain_id: chain(op),
        block_number: ops.block.at(op),
        log_index: ops.index.at(op),
        source: sourceOf(op),
        opcode: ops.opcode.at(op),
        tag: tag === undefined ? NO_TAG : ids.requireId(tagKey(tag)),
      });
    }
  }

  return inChunks(
    accounts,
    (): NotificationRows => [],
    addRows,
    (rows) => rows.length,
  );
}
