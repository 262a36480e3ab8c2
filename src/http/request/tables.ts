import type { TObject, TSchema } from '@sinclair/typebox';
import { type CsvValue, csvField, csvLine } from '../../contract/csv.ts';
import { SPLICED } from '../../contract/schemas.ts';
import { type BodyWriter, serialise } from './serialise.ts';

/** The rows of an answer as a table. */
export interface Table {
  /** Of the answer. */
  readonly schema: TSchema;
  /** The property of the answer that is the array of rows. */
  readonly rowsIn: string;
  /** Properties that no row has. */
  readonly omitted: readonly string[];
}

/** A property of a row, or of an object in a row. */
interface Field {
  readonly key: string;
  readonly column: string;
  /** Of an object with known properties, which has a column for each of them. */
  readonly fields: readonly Field[] | null;
  /** Whether the value is JSON in the text of the answer. */
  readonly isSpliced: boolean;
}

/** The schema of a row. */
export function rowSchema({ schema, rowsIn }: Pick<Table, 'schema' | 'rowsIn'>): TObject {
  // Safe: a route names an array of objects of its response.
  return (schema as TObject).properties[rowsIn]?.items as TObject;
}

function fieldsOf({ properties }: TObject, prefix: string, omitted: readonly string[]): Field[] {
  return Object.entries(properties).flatMap(([key, schema]) => {
    if (omitted.includes(key)) return [];
    const column = `${prefix}${key}`;
    const fields = 'properties' in schema ? fieldsOf(schema as TObject, `${column}_`, []) : null;
    return [{ key, column, fields, isSpliced: (schema as { [SPLICED]?: boolean })[SPLICED] === true }];
  });
}

const columnsOf = (fields: readonly Field[]): string[] =>
  fields.flatMap(({ column, fields }) => (fields === null ? column : columnsOf(fields)));

/** The fields of a row, each with a comma in front. */
function csvFields(fields: readonly Field[], row: Record<string, unknown> | undefined): string {
  let text = '';
  for (const { key, fields: inner, isSpliced } of fields) {
    const value = row?.[key];
    if (inner !== null) text += csvFields(inner, isSpliced && value ? parseSpliced(value) : (value as typeof row));
    // Safe: all other values of the schemas are scalars. An array, or an object by key, is one field.
    else
      text += `,${csvField(typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as CsvValue))}`;
  }
  return text;
}

/** Safe: `splice` has put JSON between two characters. */
const parseSpliced = (value: unknown) => JSON.parse((value as string).slice(1, -1)) as Record<string, unknown>;

/** The columns of the CSV of an answer. */
export function csvColumns(table: Table): string[] {
  return columnsOf(fieldsOf(rowSchema(table), '', table.omitted));
}

/** Writes the rows of an answer instead of the answer. */
export function tableWriter(format: 'csv' | 'ndjson', table: Table): BodyWriter {
  const schema = rowSchema(table);
  const fields = format === 'csv' ? fieldsOf(schema, '', table.omitted) : [];
  const head = format === 'csv' ? csvLine(columnsOf(fields)) : '';
  const lineOf = (row: Record<string, unknown>): string =>
    format === 'ndjson' ? `${serialise(row, schema)}\n` : `${csvFields(fields, row).slice(1)}\r\n`;
  const linesOf = (body: unknown): string => {
    // Safe: the lookup returns values of the schema.
    const rows = (body as Record<string, Record<string, unknown>[]>)[table.rowsIn] ?? [];
    let lines = '';
    for (const row of rows) lines += lineOf(row);
    return lines;
  };
  return {
    write: (body) => head + linesOf(body),
    async *writePieces(pieces) {
      yield head;
      for await (const piece of pieces) yield linesOf(piece);
    },
  };
}
