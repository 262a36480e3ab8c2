import { settleAll } from '../async/batches.ts';
import type { Hex } from '../protocol/hex.ts';
import { decodeListOp, type ListOp } from '../protocol/list-op.ts';
import type { Row } from '../store/schema.ts';
import type { Transaction } from '../store/store.ts';

/** A log as it is stored, with its subject by name. */
export interface StoredLog extends Omit<Row<'logs'>, 'subject'> {
  readonly subject: string;
}

/** What the payload of a log that is stored under a record says to do to it. */
export function decodeStoredOp(payload: Hex): ListOp {
  const op = decodeListOp(payload);
  if (op.kind === 'ignored') throw new Error(`a stored op is not one: ${op.reason}`);
  return op;
}

export interface LogsState {
  readonly stored: number;
  /** Those of them that the graph does not show yet. */
  readonly unfolded: number;
}

export async function readLogsState(tx: Transaction): Promise<LogsState> {
  const rows = await tx.read('state', ['key'], [['logs'], ['unfolded_logs']]);
  const numberOf = (key: string) => rows.find((row) => row.key === key)?.value ?? 0;
  return { stored: numberOf('logs'), unfolded: numberOf('unfolded_logs') };
}

/** The numbers that stand for subjects in rows. Once stored, a number never changes. */
export class SubjectIds {
  readonly #ids = new Map<string, number>();
  readonly #names: string[] = [];
  /** Whether there are none but those that are known. */
  #isComplete = false;
  /** The highest number there is. */
  #last = 0;

  /** For the only writer of a transaction: when the table is empty, no id has to be read from it. */
  static async open(tx: Transaction): Promise<SubjectIds> {
    const subjects = new SubjectIds();
    subjects.#isComplete = (await readLast(tx)) === 0;
    return subjects;
  }

  /** Above every number that is known. */
  get end(): number {
    return this.#names.length;
  }

  requireId(name: string): number {
    const id = this.#ids.get(name);
    if (id === undefined) throw new Error(`${name} has no number`);
    return id;
  }

  nameOf(id: number): string {
    const name = this.#names[id];
    if (name === undefined) throw new Error(`the database has no subject ${id}`);
    return name;
  }

  /** Looks for the numbers of subjects, and tells which have none. */
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

  /** Whether the database need not be asked. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Looks for everything that numbering these subjects takes. */
  async prepare(tx: Transaction, names: Iterable<string>): Promise<void> {
    [, this.#last] = await settleAll([this.find(tx, names), readLast(tx)]);
  }

  /** The numbers of subjects, of which those that have none get one; `rows` have to be stored for these. */
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

  /** Looks at the subjects of numbers. */
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

/** Gives rows the names of their subjects. */
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
