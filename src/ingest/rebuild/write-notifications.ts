import { overlap } from '../../async/batches.ts';
import type { Address } from '../../protocol/hex.ts';
import type { Opcode } from '../../protocol/list-op.ts';
import { notificationRow } from '../../rows/notification-rows.ts';
import type { SubjectIds } from '../../rows/stored-log.ts';
import type { Row } from '../../store/schema.ts';
import type { Transaction } from '../../store/store.ts';
import type { ActiveSlots } from './active-slots.ts';
import { type CollectedLogs, NO_ACCOUNT, plainOp } from './collected-logs.ts';
import { compareMoments } from './fold-graph.ts';
import { groupBy, groupOf } from './numbers.ts';

/** Rows per write. */
const CHUNK = 1_000;

/** Writes the notifications of every account in key order into the empty table. */
export async function writeAllNotifications(
  tx: Transaction,
  collected: CollectedLogs,
  active: ActiveSlots,
  subjects: SubjectIds,
  byAddress: Int32Array,
  profiles: Profiles,
): Promise<void> {
  const chainOf = chainsOf(active, subjects);
  await overlap(notificationRows({ collected, active, chainOf, profiles }, byAddress), (chunk) =>
    tx.insert('notifications', chunk),
  );
}

export type Profiles = ReadonlyMap<string, Pick<Row<'profiles'>, 'name' | 'avatar'>>;

interface Inputs {
  readonly collected: CollectedLogs;
  readonly active: ActiveSlots;
  /** By slot. */
  readonly chainOf: Float64Array;
  readonly profiles: Profiles;
}

/** The chain of every active slot: its key starts with the chain id. */
function chainsOf({ accountOf }: ActiveSlots, subjects: SubjectIds): Float64Array {
  return Float64Array.from(accountOf, (account, slot) =>
    account === NO_ACCOUNT ? 0 : Number.parseInt(subjects.nameOf(slot), 10),
  );
}

function* notificationRows(inputs: Inputs, targets: Int32Array): Generator<Row<'notifications'>[]> {
  const { ops, addresses } = inputs.collected;
  const byRecord = groupBy(ops.record, addresses.length);
  let rows: Row<'notifications'>[] = [];
  for (const target of targets) {
    addRows(rows, inputs, target, groupOf(byRecord, target));
    if (rows.length < CHUNK) continue;
    yield rows;
    rows = [];
  }
  yield rows;
}

function addRows(rows: Row<'notifications'>[], inputs: Inputs, target: number, named: Int32Array): void {
  const { collected, active, chainOf, profiles } = inputs;
  const { ops, addresses } = collected;
  const sourceOf = (op: number) => active.accountOf[ops.slot.at(op)] as number;
  const chain = (op: number) => chainOf[ops.slot.at(op)] as number;
  const counted = named.filter((op) => {
    const source = sourceOf(op);
    return source !== NO_ACCOUNT && source !== target;
  });
  counted.sort((a, b) => ops.time.at(a) - ops.time.at(b) || chain(a) - chain(b) || compareMoments(ops, a, b));
  // Safe: every account id was assigned by `idOf`.
  const record = addresses[target] as Address;
  for (const op of counted) {
    const source = addresses[sourceOf(op)] as Address;
    // Safe: the column holds what was decoded as an opcode.
    const opcode = ops.opcode.at(op) as Opcode;
    const { tag, raw } = ops.extras.get(op) ?? { tag: '', raw: plainOp(opcode, record) };
    const row = {
      source,
      list: active.lists[sourceOf(op)] ?? '',
      target: record,
      time: ops.time.at(op),
      chain_id: chain(op),
      block_number: ops.block.at(op),
      log_index: ops.index.at(op),
      opcode,
      tag,
      raw,
    };
    rows.push(notificationRow(row, profiles.get(source)));
  }
}
