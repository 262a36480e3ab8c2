/** The text formats of an answer with rows, the preferred one first. */
export const TABLE_FORMATS = ['json', 'csv', 'ndjson'] as const;
export type TableFormat = (typeof TABLE_FORMATS)[number];

/** Whether an answer is written as lines of its rows. */
export const isTable = (format: string): format is 'csv' | 'ndjson' => format === 'csv' || format === 'ndjson';

export const TABLE_TYPES: Readonly<Record<TableFormat, string>> = {
  json: 'application/json',
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
};

/** Another header leads to JSON, whatever else it has. */
const NAMES_OTHER = /text\/csv|text\/\*|x-ndjson/i;

/**
 * The format that an Accept header prefers (RFC 9110, section 12.5.1): the most specific range that matches a format gives
 * its weight. Of equal weights, a more specific range decides. JSON if none is acceptable.
 */
export function negotiateFormat(accept: string | undefined): TableFormat {
  if (accept === undefined || !NAMES_OTHER.test(accept)) return 'json';
  const ranges = accept.toLowerCase().split(',').map(parseRange);
  let best = { format: 'json' as TableFormat, weight: 0, specificity: 0 };
  for (const format of TABLE_FORMATS) {
    const type = TABLE_TYPES[format];
    const matching = [type, type.replace(/\/.*/, '/*'), '*/*'].map((range) =>
      ranges.find(({ name }) => name === range),
    );
    const specificity = matching.findIndex((range) => range !== undefined);
    const weight = matching[specificity]?.weight ?? 0;
    if (weight === 0) continue;
    if (weight > best.weight || (weight === best.weight && specificity < best.specificity))
      best = { format, weight, specificity };
  }
  return best.format;
}

function parseRange(text: string): { name: string; weight: number } {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim());
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
  return { name, weight: Number(weight) || 0 };
}
