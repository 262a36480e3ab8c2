import type { InferResult } from 'kysely';
import { type CellWrite, IGNORED_PART, type Register } from '../protocol/decode-log.ts';
import type { Address, Hex } from '../protocol/hex.ts';
import { decodeListOp, type ListOp, OPCODES, plainOp } from '../protocol/list-op.ts';
import type { ReadBuilder } from '../store/dialect.ts';
import type { Row } from '../store/schema.ts';
import { REGISTER_PARTS } from '../store/schema.ts';
import type { Transaction } from '../store/store.ts';
import { type Ids, listKey } from './ids.ts';

/** A stored log with keys instead of ids, and its whole payload. */
export interface StoredLog extends Omit<Row<'logs'>, 'subject' | 'part' | 'opcode' | 'payload'> {
  readonly subject: string;
  readonly part: string;
  readonly payload: Hex;
}

/** The position of a log, and the time of its block. */
type Position = Pick<Row<'logs'>, 'chain_id' | 'block_number' | 'block_time' | 'log_index'>;

const IGNORED = 0;
const PARTS: ReadonlyMap<number, string> = new Map([
  [IGNORED, IGNORED_PART],
  ...Object.entries(REGISTER_PARTS).map(([name, part]) => [part, name] as const),
]);

const OPS: ReadonlySet<number> = new Set(Object.values(OPCODES));

const ACCOUNT = 'account/';

/** The key of a log's subject in `Ids`. */
export function subjectKey(subject: string): string {
  return subject.startsWith(ACCOUNT) ? subject.slice(ACCOUNT.length) : subject;
}

/** Whether a part is a record. The part of a record is an address, that of a register a name. */
export function isRecord(part: string): part is Address {
  return part.startsWith('0x');
}

/** Whether a row is of a valid list op. */
export function isOp({ opcode }: Pick<Row<'logs'>, 'opcode'>): boolean {
  return opcode !== 0;
}

/** Whether a row is of an op that is not valid. */
export function isIgnoredOp({ part }: Pick<Row<'logs'>, 'part'>): boolean {
  return part === IGNORED;
}

/** The columns `subject` and `part` of a cell. */
function cellIds(ids: Ids, subject: string, part: string): [subject: number, part: number] {
  // Safe: a part that is neither a record nor ignored is a register.
  const code = isRecord(part)
    ? ids.requireId(part)
    : part === IGNORED_PART
      ? IGNORED
      : REGISTER_PARTS[part as Register];
  return [ids.requireId(subjectKey(subject)), code];
}

/** What `version`, opcode and record of an op take in hex, with the prefix 0x. */
const OP_LENGTH = plainOp(1, `0x${'0'.repeat(40)}`).length;

/** The row of a log. Of a valid op, the payload holds what follows the record: a tag, or bytes that are ignored. */
export function logRow(
  ids: Ids,
  position: Position,
  { subject, part, payload, op }: Omit<CellWrite, 'kind'>,
): Row<'logs'> {
  const { chain_id, block_number, block_time, log_index } = position;
  const [subjectId, partCode] = cellIds(ids, subject, part);
  return {
    ...{ chain_id, block_number, block_time, log_index },
    subject: subjectId,
    part: partCode,
    opcode: op?.opcode ?? 0,
    payload: payload.slice(op === undefined ? 2 : OP_LENGTH),
  };
}

/** Replaces the ids of rows by keys, and restores their payloads. */
export async function nameLogs(tx: Transaction, ids: Ids, rows: readonly Row<'logs'>[]): Promise<StoredLog[]> {
  await ids.name(tx, {
    accounts: rows.flatMap(({ subject, part }) => (part > 0 ? [part] : isOfAccount(part) ? [subject] : [])),
    lists: rows.filter(({ part }) => isOfList(part)).map(({ subject }) => subject),
    slots: rows.filter(({ part }) => isOfSlot(part)).map(({ subject }) => subject),
  });
  return rows.map((row) => nameLog(ids, row));
}

const isOfList = (part: number) => part === REGISTER_PARTS.owner || part === REGISTER_PARTS.location;
const isOfAccount = (part: number) => part === REGISTER_PARTS['primary-list'];
const isOfSlot = (part: number) => !isOfList(part) && !isOfAccount(part);

function nameLog(ids: Ids, row: Row<'logs'>): StoredLog {
  const { chain_id, block_number, block_time, log_index, part, opcode, payload } = row;
  const key = ids.keyOf(row.subject);
  const subject = isOfAccount(part) ? ACCOUNT + key : key;
  return {
    ...{ chain_id, block_number, block_time, log_index, subject },
    part: part > 0 ? ids.keyOf(part) : partName(part),
    payload: part > 0 ? opOf(opcode, ids.keyOf(part), payload) : `0x${payload}`,
  };
}

const BYTES = /^(?:[0-9a-f]{2})*$/;

/** Whether `logRow` can have returned a row. All ids must have been read. */
export function isIntact(ids: Ids, { subject, part, opcode, payload }: Row<'logs'>): boolean {
  const entity = isOfList(part) ? 'lists' : isOfAccount(part) ? 'accounts' : 'slots';
  const isKnown = part > 0 ? OPS.has(opcode) && ids.entityOf(part) === 'accounts' : opcode === 0 && isPart(part);
  return isKnown && ids.entityOf(subject) === entity && BYTES.test(payload);
}

/** Whether a part is the code of a register, or of ignored ops. */
export const isPart = (part: number) => PARTS.has(part);

/** The name of the part of a log that is not of a record. */
export function partName(part: number): string {
  const name = PARTS.get(part);
  if (name === undefined) throw new Error(`the database has a log with part ${part}`);
  return name;
}

/** The bytes of a stored op. */
function opOf(opcode: number, record: string, payload: string): Hex {
  return `${plainOp(opcode, record)}${payload}` as Hex;
}

/** Decodes the payload of a log that is stored under a record. */
export function decodeStoredOp(payload: Hex): ListOp {
  const op = decodeListOp(payload);
  if (op.kind === 'ignored') throw new Error(`a stored op cannot be decoded: ${op.reason}`);
  return op;
}

/** The logs of some cells. */
export async function readCellLogs(
  tx: Transaction,
  ids: Ids,
  cells: readonly (readonly [subject: string, part: string])[],
): Promise<StoredLog[]> {
  const keys = cells.map(([subject, part]) => cellIds(ids, subject, part));
  return nameLogs(tx, ids, await tx.read('logs', ['subject', 'part'], keys));
}

/** All logs of some slots. */
export async function readSlotLogs(tx: Transaction, ids: Ids, slots: readonly string[]): Promise<StoredLog[]> {
  const subjects = slots.map((slot) => ids.requireId(slot));
  return nameLogs(tx, ids, await tx.readBy('logs', 'subject', subjects));
}

/** Selects logs with the keys of their subjects, for readers of many logs. */
export function selectNamedLogs(db: ReadBuilder) {
  return db
    .selectFrom('logs')
    .leftJoin('lists', 'lists.id', 'logs.subject')
    .leftJoin('slots', 'slots.id', 'logs.subject')
    .leftJoin('accounts', 'accounts.id', 'logs.subject')
    .leftJoin('accounts as records', 'records.id', 'logs.part')
    .leftJoin('blocks', (join) =>
      join.onRef('blocks.chain_id', '=', 'logs.chain_id').onRef('blocks.number', '=', 'logs.block_number'),
    )
    .select(['logs.block_number', 'logs.block_time', 'logs.log_index', 'logs.part', 'logs.opcode', 'logs.payload'])
    .select([
      'token_id',
      'slots.key as slot',
      'accounts.address as account',
      'records.address as record',
      'blocks.hash',
    ]);
}

/** A log with the hash of its block. */
export type NamedLogRow = InferResult<ReturnType<typeof selectNamedLogs>>[number];

/** The cell that a log writes, and its whole payload. */
export function namedCell(row: NamedLogRow): { subject: string; part: string; payload: Hex } {
  const { token_id, slot, account, record, part, opcode, payload } = row;
  const subject = token_id === null ? (slot ?? `${ACCOUNT}${account}`) : listKey(token_id);
  return record === null
    ? { subject, part: partName(part), payload: `0x${payload}` }
    : { subject, part: record, payload: opOf(opcode, record, payload) };
}
