/** A spreadsheet runs a text that begins with one of these as a formula; an apostrophe is what the others get in front. */
const DEFUSED = /^[=+\-@\t\r\n＝＋－＠']/;
const QUOTED = /[",;\t\r\n]/;
/** Most texts are neither. */
const ODD = /[",;\t\r\n']|^[=+\-@＝＋－＠]/;

export type CsvValue = string | number | boolean | null | undefined;

/**
 * A line of a CSV file (RFC 4180). Names and tags are written by strangers, so a text that would be a formula gets an
 * apostrophe in front, and so does one with an apostrophe there: without the first one, each text is as it was.
 */
export function csvLine(values: readonly CsvValue[]): string {
  return `${values.map(csvField).join(',')}\r\n`;
}

export function csvField(value: CsvValue): string {
  if (typeof value !== 'string') return value === null || value === undefined ? '' : String(value);
  if (!ODD.test(value)) return value;
  const text = DEFUSED.test(value) ? `'${value}` : value;
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
