import type { ClientBase, Connection, Submittable } from 'pg';
import type { ColumnKind } from '../schema.ts';

/** What the driver's client calls while a statement runs. Its types leave these methods out. */
interface CopyStatement extends Submittable {
  handleCopyInResponse(connection: Connection & CopySink): void;
  handleCommandComplete(): void;
  handleReadyForQuery(): void;
  handleError(error: Error): void;
}

interface CopySink {
  sendCopyFromChunk(data: Buffer): void;
  endCopyFrom(): void;
}

/** Runs `copy … from stdin` with rows in its text format. */
export function copyRows(client: ClientBase, text: string, rows: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const statement: CopyStatement = {
      submit: (connection) => connection.query(text),
      handleCopyInResponse(connection) {
        connection.sendCopyFromChunk(rows);
        connection.endCopyFrom();
      },
      handleCommandComplete: () => undefined,
      handleReadyForQuery: resolve,
      handleError: reject,
    };
    client.query(statement);
  });
}

/** Rows `start` (included) to `end` (excluded) of columns in the text format of COPY. */
export function encodeRows(
  kinds: readonly ColumnKind[],
  columns: readonly unknown[][],
  start: number,
  end: number,
): Buffer {
  let text = '';
  for (let row = start; row < end; row++) {
    for (let i = 0; i < kinds.length; i++) {
      // Safe: there is a column for each kind.
      const value = (columns[i] as unknown[])[row];
      text += encodeValue(kinds[i] as ColumnKind, value) + (i + 1 < kinds.length ? '\t' : '\n');
    }
  }
  return Buffer.from(text);
}

const ESCAPED = /[\\\n\r\t]/g;
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function encodeValue(kind: ColumnKind, value: unknown): string {
  if (value === null || value === undefined) return '\\N';
  if (kind === 'address') return `\\\\x${String(value).slice(2)}`;
  const text = String(value);
  return kind === 'text' ? text.replace(ESCAPED, (character) => ESCAPES[character] as string) : text;
}
