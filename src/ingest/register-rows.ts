import { settleAll } from '../async/batches.ts';
import { mintsOf } from '../graph/mints.ts';
import type { Register } from '../protocol/decode-log.ts';
import type { Address, Hex } from '../protocol/hex.ts';
import { decodePrimaryList, decodeRole } from '../protocol/metadata.ts';
import { decodeStorageLocation } from '../protocol/storage-location.ts';
import type { Cells, DatedLog } from '../rows/cells.ts';
import type { Row } from '../store/schema.ts';
import type { Transaction } from '../store/store.ts';
import { RowDiff } from './row-diff.ts';

/** The lists, slots and accounts that a change may affect, before and after it. */
export class RegisterRows {
  readonly lists: RowDiff<'lists'>;
  readonly slots: RowDiff<'slots'>;
  readonly accounts: RowDiff<'accounts'>;

  constructor(tx: Transaction) {
    this.lists = new RowDiff(tx, 'lists', blankList);
    this.slots = new RowDiff(tx, 'slots', blankSlot);
    this.accounts = new RowDiff(tx, 'accounts', blankAccount);
  }

  /** Writes the rows that differ. Returns by how much the counts in `state` have grown. */
  async write(): Promise<Record<'lists' | 'accounts' | 'listed_accounts' | 'minted_accounts', number>> {
    const [accounts] = await settleAll([this.accounts.write(), this.lists.write(), this.slots.write()]);
    return {
      lists: this.lists.growthOf(({ owner }) => owner !== null),
      accounts,
      listed_accounts: this.accounts.growthOf(({ listed }) => listed > 0),
      minted_accounts: this.accounts.growthOf(({ minted }) => minted > 0),
    };
  }
}

/** Rows of a list, a slot and an account without any log. They are never stored. */
export function blankList(token_id: string): Row<'lists'> {
  return { token_id, owner: null, slot: null, account: null };
}

export function blankSlot(key: string): Row<'slots'> {
  return { key, user: null, manager: null };
}

export function blankAccount(address: string): Row<'accounts'> {
  const counts = { followers: 0, following: 0, mutuals: 0, blocks: 0, top8: 0 };
  return { address, primary_list: null, active_list: null, active_slot: null, ...counts, listed: 0, minted: 0 };
}

export interface Touched {
  readonly lists: string[];
  readonly slots: string[];
  readonly accounts: string[];
}

/** Groups the subjects of cells by kind. */
export function sortSubjects(subjects: Iterable<string>): Touched {
  const sorted: Touched = { lists: [], slots: [], accounts: [] };
  for (const subject of subjects) {
    if (subject.startsWith('list/')) sorted.lists.push(nameOfList(subject));
    else if (subject.startsWith('account/')) sorted.accounts.push(nameOfAccount(subject));
    else sorted.slots.push(subject);
  }
  return sorted;
}

export function nameOfList(subject: string): string {
  return subject.slice('list/'.length);
}

export function nameOfAccount(subject: string): Address {
  // Safe: the subjects of account metadata are addresses.
  return subject.slice('account/'.length) as Address;
}

/** Sets every register in `cells` to its last value. The rows must have been loaded. */
export function setRegisters(registers: RegisterRows, touched: Touched, cells: Cells): void {
  for (const list of touched.lists) {
    const cell = cells.get(`list/${list}`);
    const row = registers.lists.after(list);
    // A transfer to the zero address burns the list, which then has no owner.
    setLast(cell, 'owner', decodeRole, (owner) => (row.owner = owner));
    setLast(cell, 'location', decodeStorageLocation, (slot) => (row.slot = slot));
  }
  for (const slot of touched.slots) {
    const row = registers.slots.after(slot);
    setLast(cells.get(slot), 'user', decodeRole, (user) => (row.user = user));
    setLast(cells.get(slot), 'manager', decodeRole, (manager) => (row.manager = manager));
  }
  for (const account of touched.accounts) {
    const row = registers.accounts.after(account);
    setLast(cells.get(`account/${account}`), 'primary-list', decodePrimaryList, (list) => (row.primary_list = list));
  }
}

/** Counts how many of the lists were minted to each account. */
export async function countMinted({ accounts }: RegisterRows, touched: Touched, cells: Cells): Promise<void> {
  const transfers = touched.lists.map((list) => cells.get(`list/${list}`)?.get('owner') ?? []);
  const mintsIn = (state: 'before' | 'after') =>
    transfers.flatMap((logs) => mintsOf(logs.filter((log) => log[state]).map(({ row }) => decodeRole(row.payload))));
  const [before, after] = [mintsIn('before'), mintsIn('after')];
  await accounts.load([...before, ...after]);
  for (const account of before) accounts.after(account).minted -= 1;
  for (const account of after) accounts.after(account).minted += 1;
}

function setLast<V>(
  cell: Map<string, DatedLog[]> | undefined,
  register: Register,
  decode: (value: Hex) => V | null,
  set: (value: V | null) => void,
): void {
  const logs = cell?.get(register);
  if (logs === undefined) return;
  const last = logs.findLast((log) => log.after);
  set(last === undefined ? null : decode(last.row.payload));
}
