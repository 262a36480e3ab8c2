import { type ActiveList, activeList } from '../../graph/active-list.ts';
import type { Address } from '../../protocol/hex.ts';
import type { Row } from '../../store/schema.ts';
import type { Transaction } from '../../store/store.ts';
import { groupDated } from '../change.ts';
import { Registers, setRegisters, sortSubjects } from '../registers.ts';

/** Lists, slots and accounts as all logs leave them, and the list that each account's edges come from. */
export interface RegisterState {
  readonly lists: Row<'lists'>[];
  readonly slots: Row<'slots'>[];
  readonly accounts: ReadonlyMap<Address, { primaryList: string | null; active: ActiveList | null }>;
}

/** Far more than the registers of one list, slot or account are ever written. */
const CHUNK = 100_000;
const REGISTERS = ['owner', 'location', 'user', 'manager', 'primary-list'];

/** Reads every register's logs. They are few beside those of the records. */
export async function readRegisters(tx: Transaction): Promise<RegisterState> {
  const registers = new Registers(tx);
  const seen = { lists: new Set<string>(), slots: new Set<string>(), accounts: new Set<string>() };
  for await (const rows of readRegisterLogs(tx)) {
    const cells = groupDated(rows.map((row) => ({ row, before: false, after: true })));
    const subjects = sortSubjects(cells.keys());
    registers.lists.start(subjects.lists);
    registers.slots.start(subjects.slots);
    registers.accounts.start(subjects.accounts);
    setRegisters(registers, subjects, cells);
    for (const list of subjects.lists) seen.lists.add(list);
    for (const slot of subjects.slots) seen.slots.add(slot);
    for (const account of subjects.accounts) seen.accounts.add(account);
  }
  const listOf = (list: string) => (seen.lists.has(list) ? registers.lists.after(list) : null);
  const slotOf = (slot: string) => (seen.slots.has(slot) ? registers.slots.after(slot) : null);
  const accounts = [...seen.accounts].map((key) => {
    // Safe: the subjects of account metadata are addresses.
    const account = key as Address;
    const primaryList = registers.accounts.after(account).primary_list;
    return [account, { primaryList, active: activeList(account, primaryList, listOf, slotOf) }] as const;
  });
  return {
    lists: [...seen.lists].map((list) => registers.lists.after(list)),
    slots: [...seen.slots].map((slot) => registers.slots.after(slot)),
    accounts: new Map(accounts),
  };
}

/** In chunks that never divide a subject: the last log of each of its cells decides. */
async function* readRegisterLogs(tx: Transaction): AsyncGenerator<Row<'logs'>[]> {
  for (let after = ''; ; ) {
    const rows = await tx.query((db) =>
      db
        .selectFrom('logs')
        .selectAll()
        .where('part', 'in', REGISTERS)
        .where('subject', '>', after)
        .orderBy('subject')
        .orderBy('part')
        .orderBy('block_number')
        .orderBy('log_index')
        .limit(CHUNK),
    );
    const last = rows.at(-1)?.subject;
    if (last === undefined) return;
    const whole = rows.length < CHUNK ? rows : rows.filter((row) => row.subject !== last);
    if (whole.length === 0) throw new Error(`${last} has more than ${CHUNK} register logs`);
    yield whole;
    after = whole.at(-1)?.subject ?? last;
  }
}
