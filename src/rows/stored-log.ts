import { settleAll } from '../async/batches.ts';
import type { Hex } from '../protocol/hex.ts';
import { decodeListOp, type ListOp } from '../protocol/list-op.ts';
import type { Row } from '../store/schema.ts';
import type { Transaction } from '../store/store.ts';

/** A stored log with the key of its subject instead of the id. */
export interface StoredLog extends Omit<Row<'logs'>, 'subject'> {
  readonly subject: string;
}

/** Decodes the payload of a log that is stored under a record. */
export function decodeStoredOp(payload: Hex): ListOp {
  const op = decodeListOp(payload);
  if (op.kind === 'ignored') throw new Error(`a stored op cannot be decoded: ${op.reason}`);
  return op;
}

export interface LogsState {
  readonly stored: number;
  /** Stored, but not folded into the graph yet. */
  readonly unfolded: number;
}

export async function readLogsState(tx: Transaction): Promise<LogsState> {
  const rows = await tx.read('state', ['key'], [['logs'], ['unfolded_logs']]);
  const numberOf = (key: string) => rows.find((row) => row.key === key)?.value ?? 0;
  return { stored: numberOf('logs'), unfolded: numberOf('unfolded_logs') };
}

/** Maps subjects to their ids. A stored id never changes. */
export class SubjectIds {
  readonly #ids = new Map<string, number>();
  readonly #names: string[] = [];
  /** Whether the database has no other subjects. */
  #isComplete = false;
  /** The highest id in use. */
  #last = 0;

  /** For the only writer of a transaction: when the table is empty, no id has to be read from it. */
  static async open(tx: Transaction): Promise<SubjectIds> {
    const subjects = new SubjectIds();
    subjects.#isComplete = (await readLast(tx)) === 0;
    return subjects;
  }

  /** One more than the highest known id. */
  get end(): number {
    return this.#names.length;
  }

  requireId(name: string): number {
    const id = this.#ids.get(name);
    if (id === undefined) throw new Error(`subject ${name} has no id`);
    return id;
  }

  nameOf(id: number): string {
    const name = this.#names[id];
    if (name === undefined) throw new Error(`the database has no subject ${id}`);
    return name;
  }

  /** Reads the ids of subjects and returns the subjects without one. */
  async find(tx: Transaction, names: Iterable<string>): Promise<Set<string>> {
    const missing = new Set<string>();
    for (const name of names) if (!this.#ids.has(name)) missing.add(name);
    if (missing.size === 0) return missing;
    const keys = [...missing].map((name) => [name]);
    for (const { id, key } of await tx.read('subjects', ['key'], keys)) {
      this.#add(id, key);
      missing.delete(key);
    }
    return missing;
  }

  /** The ids of subjects that have one. */
  async idsOf(tx: Transaction, names: readonly string[]): Promise<number[]> {
    await this.find(tx, names);
    return names.map((name) => this.requireId(name));
  }

  /** Whether every id is in memory. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Reads what `number` needs for these subjects. */
  async prepare(tx: Transaction, names: Iterable<string>): Promise<void> {
    [, this.#last] = await settleAll([this.find(tx, names), readLast(tx)]);
  }

  /** Returns the ids of subjects, assigning new ones; the caller inserts the `rows` of the new ones. */
  number(names: readonly string[]): { ids: number[]; rows: Row<'subjects'>[] } {
    const rows: Row<'subjects'>[] = [];
    const ids = names.map((key) => {
      const known = this.#ids.get(key);
      if (known !== undefined) return known;
      const id = ++this.#last;
      this.#add(id, key);
      rows.push({ id, key });
      return id;
    });
    return { ids, rows };
  }

  /** Reads the subjects of ids. */
  async name(tx: Transaction, ids: Iterable<number>): Promise<void> {
    const missing = new Set<number>();
    for (const id of ids) if (this.#names[id] === undefined) missing.add(id);
    const keys = [...missing].map((id) => [id]);
    for (const { id, key } of await tx.read('subjects', ['id'], keys)) this.#add(id, key);
  }

  #add(id: number, name: string): void {
    this.#ids.set(name, id);
    this.#names[id] = name;
  }
}

async function readLast(tx: Transaction): Promise<number> {
  const [last] = await tx.query((db) => db.selectFrom('subjects').select('id').orderBy('id', 'desc').limit(1));
  return last?.id ?? 0;
}

/** The logs of some cells. */
export function readCellLogs(
  tx: Transaction,
  subjects: SubjectIds,
  cells: readonly (readonly [subject: string, part: string])[],
): Promise<StoredLog[]> {
  return readLogs(tx, subjects, ['subject', 'part'], cells);
}

/** All logs of some subjects. */
export function readSubjectLogs(tx: Transaction, subjects: SubjectIds, names: readonly string[]): Promise<StoredLog[]> {
  const keys = names.map((name) => [name] as const);
  return readLogs(tx, subjects, ['subject'], keys);
}

async function readLogs(
  tx: Transaction,
  subjects: SubjectIds,
  by: ('subject' | 'part')[],
  keys: readonly (readonly [subject: string, ...rest: string[]])[],
): Promise<StoredLog[]> {
  const unknown = await subjects.find(
    tx,
    keys.map(([subject]) => subject),
  );
  const known = keys.filter(([subject]) => !unknown.has(subject));
  const rows = await tx.read(
    'logs',
    by,
    known.map(([subject, ...rest]) => [subjects.requireId(subject), ...rest]),
  );
  return rows.map((row) => nameSubject(subjects, row));
}

/** Replaces the subject ids of rows by their keys. */
export async function nameSubjects(tx: Transaction, rows: readonly Row<'logs'>[]): Promise<StoredLog[]> {
  const subjects = new SubjectIds();
  await subjects.name(
    tx,
    rows.map((row) => row.subject),
  );
  return rows.map((row) => nameSubject(subjects, row));
}

function nameSubject(subjects: SubjectIds, row: Row<'logs'>): StoredLog {
  return { ...row, subject: subjects.nameOf(row.subject) };
}
