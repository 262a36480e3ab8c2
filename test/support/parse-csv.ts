/** The records of a CSV file (RFC 4180). Fails on what is none. */
export function parseCsv(text: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  let at = 0;
  while (at < text.length) {
    const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
    field.lastIndex = at;
    const [whole, quoted, plain, end] = field.exec(text) ?? [];
    if (whole === undefined) throw new Error(`no CSV at ${at}: ${JSON.stringify(text.slice(at, at + 100))}`);
    record.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    at += whole.length;
    if (end === ',') continue;
    records.push(record);
    record = [];
  }
  if (record.length > 0) throw new Error('the last record has no end');
  return records;
}

/** The rows by the names of the columns, with the apostrophes of defused texts removed. */
export function readCsv(text: string): Record<string, string>[] {
  const [columns = [], ...records] = parseCsv(text);
  return records.map((record) => {
    if (record.length !== columns.length) throw new Error(`${record.length} fields for ${columns.length} columns`);
    return Object.fromEntries(columns.map((column, i) => [column, (record[i] ?? '').replace(/^'/, '')]));
  });
}
