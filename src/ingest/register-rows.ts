import { sql } from 'kysely';
import { settleAll } from '../async/settle-all.ts';
import { accountOfList } from '../graph/active-list.ts';
import { MEASURES, mintsOf } from '../graph/counts.ts';
import type { Register } from '../protocol/decode-log.ts';
import type { Hex } from '../protocol/hex.ts';
import { decodePrimaryList, decodeRole, decodeStorageLocation } from '../protocol/register-values.ts';
import type { Cells, DatedLog } from '../rows/cells.ts';
import { blankAccount, type Ids, listKey, tokenIdOf, unsetList, unsetSlot } from '../rows/ids.ts';
import { subjectKey } from '../rows/stored-log.ts';
import { param } from '../store/params.ts';
import type { Row } from '../store/schema.ts';
import { columns, select, statement } from '../store/statement.ts';
import type { Transaction } from '../store/store.ts';
import { RowDiff, sameRow } from './row-diff.ts';

/** A list, with keys instead of ids. */
export interface ListRegisters {
  readonly token_id: string;
  owner: string | null;
  slot: string | null;
  account: string | null;
}

/** A slot, with addresses instead of ids. */
export interface SlotRegisters {
  readonly key: string;
  user: string | null;
  manager: string | null;
}

/** Before it is stored, a row has no id. */
const NO_ID = 0;

/** The lists, slots and accounts that a change may affect, before and after it. */
export class RegisterRows {
  readonly lists: RowDiff<ListRegisters, 'lists'>;
  readonly slots: RowDiff<SlotRegisters, 'slots'>;
  readonly accounts: RowDiff<Row<'accounts'>, 'accounts'>;
  readonly #tx: Transaction;
  readonly #ids: Ids;

  constructor(tx: Transaction, ids: Ids) {
    this.#tx = tx;
    this.#ids = ids;
    this.lists = new RowDiff({
      table: 'lists',
      keyOf: ({ token_id }) => token_id,
      blank: (token_id): ListRegisters => unsetList(token_id),
      read: async (keys) => nameLists(tx, ids, await tx.readBy('lists', 'token_id', keys)),
      toStored: (row) => listRow(ids, row),
    });
    this.slots = new RowDiff({
      table: 'slots',
      keyOf: ({ key }) => key,
      blank: (key): SlotRegisters => unsetSlot(key),
      read: (keys) => readSlots(tx, ids, keys),
      toStored: (row) => slotRow(ids, row),
    });
    this.accounts = new RowDiff({
      table: 'accounts',
      keyOf: ({ address }) => address,
      blank: (address) => blankAccount(NO_ID, address),
      read: async (keys) => {
        const rows = await tx.readBy('accounts', 'address', keys);
        for (const { id, address } of rows) ids.learn(id, address);
        return rows;
      },
      toStored: (row) => ({ ...row, id: ids.requireId(row.address) }),
    });
  }

  /** Assigns ids to all that the changed rows are or refer to. */
  async assignIds(): Promise<void> {
    const keys = [
      ...this.accounts.changed().map(({ address }) => address),
      ...this.lists
        .changed()
        .flatMap(({ token_id, owner, slot, account }) => [listKey(token_id), owner, slot, account]),
      ...this.slots.changed().flatMap(({ key, user, manager }) => [key, user, manager]),
    ];
    await this.#ids.assign(
      this.#tx,
      keys.filter((key) => key !== null),
    );
  }

  /** Writes the lists that differ, and the greatest list of the accounts that they belong to or no longer belong to. */
  async #writeLists(): Promise<void> {
    const changed = this.lists.changed();
    await this.lists.write(this.#tx, changed);
    const accounts = changed.flatMap(({ token_id, account }) => {
      const before = this.lists.before(token_id).account;
      return before === account ? [] : [before, account].filter((key) => key !== null);
    });
    if (accounts.length === 0) return;
    const minters = await this.#tx.all(MINTERS, { accounts: JSON.stringify(accounts) });
    await settleAll([
      this.#tx.remove(
        'minters',
        minters.filter(({ token_id }) => token_id === null).map(({ account }) => ({ account })),
      ),
      this.#tx.upsert(
        'minters',
        minters.flatMap(({ account, token_id }) => (token_id === null ? [] : [{ account, token_id }])),
      ),
    ]);
  }

  /** Writes the rows that differ, whose ids have been assigned. Returns by how much the counts in `state` have grown. */
  async write(): Promise<Record<'lists' | 'accounts' | 'listed_accounts' | 'minted_accounts', number>> {
    const accounts = this.accounts.changed();
    const recounted = accounts.filter((row) => {
      const before = this.accounts.before(row.address);
      return MEASURES.some((measure) => row[measure] !== before[measure]);
    });
    await settleAll([
      this.accounts.write(this.#tx, accounts),
      this.#writeLists(),
      this.slots.write(this.#tx),
      // For the next ranking.
      this.#tx.insertNew(
        'changed_accounts',
        recounted.map(({ address }) => ({ account: this.#ids.requireId(address) })),
      ),
    ]);
    return {
      lists: this.lists.growthOf(({ owner }) => owner !== null),
      accounts: this.accounts.growthOf(isUsed),
      listed_accounts: this.accounts.growthOf(({ listed }) => listed > 0),
      minted_accounts: this.accounts.growthOf(({ minted }) => minted > 0),
    };
  }
}

const MINTERS = statement<{ accounts: string }>()(
  (_db, dialect) =>
    // Token ids are decimal numbers without leading zeros: the longer one is greater.
    select(
      {
        account: columns('accounts').id,
        token_id: sql<string | null>`(select token_id from lists where account = accounts.id
        order by length(token_id) desc, token_id desc limit 1)`,
      },
      sql`from accounts where address in ${dialect.textsOf(param('accounts'))}`,
    ).query,
);

/** Whether the graph holds anything of an account, except its id. */
export function isUsed(row: Row<'accounts'>): boolean {
  return !sameRow(row, blankAccount(row.id, row.address));
}

export function listRow(ids: Ids, { token_id, owner, slot, account }: ListRegisters): Row<'lists'> {
  return {
    id: ids.requireId(listKey(token_id)),
    token_id,
    owner: ids.idOrNull(owner),
    slot: ids.idOrNull(slot),
    account: ids.idOrNull(account),
  };
}

export function slotRow(ids: Ids, { key, user, manager }: SlotRegisters): Row<'slots'> {
  return { id: ids.requireId(key), key, user: ids.idOrNull(user), manager: ids.idOrNull(manager) };
}

/** Replaces the ids of lists by keys. */
async function nameLists(tx: Transaction, ids: Ids, rows: readonly Row<'lists'>[]): Promise<ListRegisters[]> {
  for (const { id, token_id } of rows) ids.learn(id, listKey(token_id));
  await ids.name(tx, {
    accounts: rows.flatMap(({ owner, account }) => [owner, account]),
    slots: rows.map(({ slot }) => slot),
  });
  return rows.map(({ token_id, owner, slot, account }) => ({
    token_id,
    owner: ids.keyOrNull(owner),
    slot: ids.keyOrNull(slot),
    account: ids.keyOrNull(account),
  }));
}

async function readSlots(tx: Transaction, ids: Ids, keys: readonly string[]): Promise<SlotRegisters[]> {
  const rows = await tx.readBy('slots', 'key', keys);
  for (const { id, key } of rows) ids.learn(id, key);
  await ids.name(tx, { accounts: rows.flatMap(({ user, manager }) => [user, manager]) });
  return rows.map(({ key, user, manager }) => ({ key, user: ids.keyOrNull(user), manager: ids.keyOrNull(manager) }));
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
    if (subject.startsWith('list/')) sorted.lists.push(tokenIdOf(subject));
    else if (subject.startsWith('account/')) sorted.accounts.push(subjectKey(subject));
    else sorted.slots.push(subject);
  }
  return sorted;
}

/** Sets every register in `cells` to its last value. The rows must have been loaded. */
export async function setRegisters(
  tx: Transaction,
  ids: Ids,
  registers: RegisterRows,
  touched: Touched,
  cells: Cells,
): Promise<void> {
  for (const list of touched.lists) {
    const cell = cells.get(listKey(list));
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
  const primaryLists = new Map<string, string | null>();
  for (const account of touched.accounts) {
    const cell = cells.get(`account/${account}`);
    setLast(cell, 'primary-list', decodePrimaryList, (list) => primaryLists.set(account, list));
  }
  const named = [...primaryLists.values()].filter((list) => list !== null);
  await ids.assign(tx, named.map(listKey));
  for (const [account, list] of primaryLists) {
    registers.accounts.after(account).primary_list = list === null ? null : ids.requireId(listKey(list));
  }
}

/** Counts how many of the lists were minted to each account. */
export async function countMinted({ accounts }: RegisterRows, touched: Touched, cells: Cells): Promise<void> {
  const transfers = touched.lists.map((list) => cells.get(listKey(list))?.get('owner') ?? []);
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

/** Sets the account of lists: of those that were touched, and of those whose slot has a new user. */
export async function setListAccounts(
  tx: Transaction,
  ids: Ids,
  { lists, slots }: RegisterRows,
  touched: Touched,
): Promise<void> {
  const moved = touched.slots.filter((slot) => slots.before(slot).user !== slots.after(slot).user);
  // A slot without an id is the location of no list.
  await ids.find(tx, moved);
  const known = moved.filter((slot) => ids.has(slot)).map((slot) => ids.requireId(slot));
  const stored = await nameLists(tx, ids, await tx.readBy('lists', 'slot', known));
  const affected = [...touched.lists, ...stored.map(({ token_id }) => token_id)];
  await lists.load(affected);
  await slots.load(affected.map((list) => lists.after(list).slot));
  for (const list of affected) {
    const row = lists.after(list);
    row.account = accountOfList(row, (slot) => slots.after(slot));
  }
}
