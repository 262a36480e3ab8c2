import { settleAll } from '../async/settle-all.ts';
import type { Address } from '../protocol/hex.ts';
import { blankRow, ENTITY_KEYS, type Entity, type Row } from '../store/schema.ts';
import { readState } from '../store/state.ts';
import type { Transaction } from '../store/store.ts';

const ENTITIES = Object.keys(ENTITY_KEYS) as Entity[];

/** What the keys of lists and tags start with. Those of accounts are addresses, those of slots start with a digit. */
const PREFIXES = { accounts: '', lists: 'list/', slots: '', tags: 'tag/' } as const;
export const listKey = (tokenId: string) => `${PREFIXES.lists}${tokenId}`;
export const tagKey = (tag: string) => `${PREFIXES.tags}${tag}`;
export const tokenIdOf = (key: string) => key.slice(PREFIXES.lists.length);
export const tagOf = (key: string) => key.slice(PREFIXES.tags.length);

function entityOf(key: string): Entity {
  if (key.startsWith('0x')) return 'accounts';
  if (key.startsWith(PREFIXES.lists)) return 'lists';
  return key.startsWith(PREFIXES.tags) ? 'tags' : 'slots';
}

/** New rows, for the caller to insert. */
export interface NewRows {
  readonly accounts: Row<'accounts'>[];
  readonly lists: Row<'lists'>[];
  readonly slots: Row<'slots'>[];
  readonly tags: Row<'tags'>[];
}

const BLANK_ACCOUNT = blankRow('accounts');
const {
  id: _id,
  address: _address,
  primary_list: _list,
  active_list: _active,
  active_slot: _slot,
  ...COUNTS
} = BLANK_ACCOUNT;
export type AccountCounts = typeof COUNTS;

/** The counts of an account without any log. */
export const blankCounts = (): AccountCounts => ({ ...COUNTS });

/** The row of an account without any log. */
export const blankAccount = (id: number, address: string): Row<'accounts'> => ({ ...BLANK_ACCOUNT, id, address });

/** A list and a slot without any log. */
export const unsetList = (token_id: string) => ({ token_id, owner: null, slot: null, account: null });
export const unsetSlot = (key: string) => ({ key, user: null, manager: null });

/** Maps accounts, lists, slots and tags to their ids. A stored id never changes. */
export class Ids {
  readonly #ids = new Map<string, number>();
  readonly #keys: string[] = [];
  #isComplete = false;
  /** The highest id in use. */
  #last = 0;

  /** Reads all ids. For the only writer of a transaction: none has to be looked up later. */
  static async readAll(tx: Transaction): Promise<Ids> {
    const ids = new Ids();
    for (const entity of ENTITIES) {
      // Safe: tables with ids differ in the name of the column, which is that of the entity.
      const column = ENTITY_KEYS[entity] as 'tag';
      ids.#learnRows(entity, await tx.query((db) => db.selectFrom(entity as 'tags').select(['id', column])));
    }
    ids.#last = (await readState(tx))('last_id');
    ids.#isComplete = true;
    return ids;
  }

  /** Whether every id is in memory. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** One more than the highest known id. */
  get end(): number {
    return this.#keys.length;
  }

  has(key: string): boolean {
    return this.#ids.has(key);
  }

  requireId(key: string): number {
    const id = this.#ids.get(key);
    if (id === undefined) throw new Error(`${key} has no id`);
    return id;
  }

  idOrNull(key: string | null): number | null {
    return key === null ? null : this.requireId(key);
  }

  keyOf(id: number): string {
    const key = this.#keys[id];
    if (key === undefined) throw new Error(`id ${id} was not read`);
    return key;
  }

  /** The table of an id; undefined if it has no row there. */
  entityOf(id: number): Entity | undefined {
    const key = this.#keys[id];
    return key === undefined ? undefined : entityOf(key);
  }

  addressOf(account: number): Address {
    // Safe: the keys of accounts are addresses.
    return this.keyOf(account) as Address;
  }

  keyOrNull(id: number | null): string | null {
    return id === null ? null : this.keyOf(id);
  }

  /** The keys with an id, by id. */
  *entries(): Generator<[id: number, key: string]> {
    for (const [key, id] of this.#ids) yield [id, key];
  }

  /** Reads the ids of keys. Those without one are left out. */
  async find(tx: Transaction, keys: Iterable<string>): Promise<void> {
    if (this.#isComplete) return;
    const missing = new Set<string>();
    for (const key of keys) if (!this.#ids.has(key)) missing.add(key);
    await settleAll(
      [...Map.groupBy(missing, entityOf)].map(async ([entity, unknown]) => {
        const texts = unknown.map((key) => key.slice(PREFIXES[entity].length));
        this.#learnRows(entity, await tx.readBy(entity, ENTITY_KEYS[entity] as never, texts));
      }),
    );
  }

  /** Reads what `number` needs for these keys. */
  async prepare(tx: Transaction, keys: Iterable<string>): Promise<void> {
    if (this.#isComplete) return;
    const [, numberOf] = await settleAll([this.find(tx, keys), readState(tx)]);
    this.#last = Math.max(this.#last, numberOf('last_id'));
  }

  /** Assigns ids to the keys without one. Returns their blank rows. */
  number(keys: Iterable<string>): NewRows {
    const rows: NewRows = { accounts: [], lists: [], slots: [], tags: [] };
    for (const key of keys) {
      if (this.#ids.has(key)) continue;
      const id = ++this.#last;
      this.learn(id, key);
      const entity = entityOf(key);
      if (entity === 'accounts') rows.accounts.push(blankAccount(id, key));
      else if (entity === 'lists') rows.lists.push({ id, ...unsetList(tokenIdOf(key)) });
      else if (entity === 'tags') rows.tags.push({ id, tag: tagOf(key) });
      else rows.slots.push({ id, ...unsetSlot(key) });
    }
    return rows;
  }

  /** Assigns ids to the keys without one, and stores blank rows. */
  async assign(tx: Transaction, keys: Iterable<string>): Promise<void> {
    const wanted = [...keys];
    await this.prepare(tx, wanted);
    await this.insert(tx, this.number(wanted));
  }

  /** Inserts rows, and stores which ids are in use. Answers show them once other rows refer to them. */
  async insert(tx: Transaction, { accounts, lists, slots, tags }: NewRows): Promise<void> {
    if (accounts.length + lists.length + slots.length + tags.length === 0) return;
    await settleAll([
      tx.unseen.insert('accounts', accounts),
      tx.unseen.insert('lists', lists),
      tx.unseen.insert('slots', slots),
      tx.unseen.insert('tags', tags),
      tx.upsert('state', [{ key: 'last_id', value: this.#last }]),
    ]);
  }

  /** Reads the keys of ids, by table. */
  async name(tx: Transaction, ids: Partial<Record<Entity, readonly (number | null)[]>>): Promise<void> {
    await settleAll(
      ENTITIES.map(async (entity) => {
        const missing = new Set<number>();
        for (const id of ids[entity] ?? []) if (id !== null && this.#keys[id] === undefined) missing.add(id);
        this.#learnRows(entity, await tx.readBy(entity, 'id', [...missing]));
      }),
    );
  }

  #learnRows(entity: Entity, rows: readonly { readonly id: number }[]): void {
    for (const row of rows) {
      // Safe: the column is a text of the table.
      const text = (row as unknown as Record<string, string>)[ENTITY_KEYS[entity]];
      this.learn(row.id, `${PREFIXES[entity]}${text}`);
    }
  }

  /** Takes an id that the caller has read. */
  learn(id: number, key: string): void {
    this.#ids.set(key, id);
    this.#keys[id] = key;
  }
}
