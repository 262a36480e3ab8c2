import type { Row } from '../../src/store/schema.ts';
import type { Store, Transaction } from '../../src/store/store.ts';
import type { Random } from '../model/random.ts';

/** Deletes random logs, of one chain if it is given, and returns them. */
export async function deleteLogs(
  store: Store,
  random: Random,
  count: number,
  chainId?: number,
): Promise<Row<'logs'>[]> {
  return store.transaction(async (tx) => {
    const stored = await tx.query((db) => db.selectFrom('logs').selectAll());
    const logs = stored.filter(({ chain_id }) => chainId === undefined || chain_id === chainId);
    const deleted = Array.from({ length: count }, () => random.pick(logs));
    await tx.remove('logs', deleted);
    return deleted;
  });
}

/** Deletes or changes random rows of `logs` and `blocks`, or adds some, `times` times. Blocks keep within their chain. */
export async function damageLogs(store: Store, random: Random, times: number): Promise<void> {
  await store.transaction(async (tx) => {
    for (let time = 0; time < times; time++) {
      const logs = await tx.query((db) =>
        db.selectFrom('logs').selectAll().orderBy('chain_id').orderBy('block_number').orderBy('log_index'),
      );
      const blocks = await tx.query((db) => db.selectFrom('blocks').selectAll().orderBy('chain_id').orderBy('number'));
      if (logs.length === 0 || blocks.length === 0) return;
      const log = random.pick(logs);
      await random.weighted([
        [6, () => tx.remove('logs', [log])],
        [6, () => replace(tx, 'logs', log, changedLog(random, log, random.pick(logs)))],
        [1, () => tx.insert('logs', [{ ...log, log_index: log.log_index + 1_000 + time }])],
        [1, () => deleteBlock(tx, random.pick(blocks))],
        [1, () => tx.remove('blocks', [random.pick(blocks)])],
        [2, () => damageBlock(tx, random, random.pick(blocks))],
      ]);
    }
  });
}

async function replace<T extends 'logs' | 'blocks'>(tx: Transaction, table: T, row: Row<T>, by: Row<T>): Promise<void> {
  await tx.remove(table, [row]);
  await tx.upsert(table, [by]);
}

function changedLog(random: Random, log: Row<'logs'>, other: Row<'logs'>): Row<'logs'> {
  const change = random.pick<Partial<Row<'logs'>>>([
    { payload: other.payload },
    { payload: `${log.payload}00` },
    { payload: 'no hex' },
    { part: other.part },
    { part: -9 },
    { part: log.subject },
    { subject: other.subject },
    { subject: 1_000_000 },
    { opcode: (log.opcode + 1) % 6 },
    { block_time: log.block_time + 1 },
    { log_index: log.log_index + 2_000 },
    { ...other, log_index: log.log_index + 3_000 },
  ]);
  return { ...log, ...change };
}

async function deleteBlock(tx: Transaction, block: Row<'blocks'>): Promise<void> {
  await tx.remove('blocks', [block]);
  const { chain_id, number } = block;
  await tx.execute((db) => db.deleteFrom('logs').where('chain_id', '=', chain_id).where('block_number', '=', number));
}

async function damageBlock(tx: Transaction, random: Random, block: Row<'blocks'>): Promise<void> {
  const change = random.pick<Partial<Row<'blocks'>>>([
    { time: block.time + 1 },
    { hash: block.hash.replace(/..$/, 'xx') },
    { number: Math.max(1, block.number - 1) },
    { number: block.number + 1_000_000 },
  ]);
  await replace(tx, 'blocks', block, { ...block, ...change });
}
