/** What a client does with a value: the type that it needs, or that it finds no value. */
type Kind = 'text' | 'empty text' | 'number' | 'boolean' | 'map of texts' | 'texts' | 'absent' | 'SVG';

/** What a client reads of an answer. An array must not be empty, or nothing would be shown; `[]` must be, `texts` may be. */
export type Reads = Kind | readonly [] | readonly [Reads] | { readonly [key: string]: Reads };

const isText = (value: unknown) => typeof value === 'string';
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const TESTS: Record<Kind, (value: unknown) => boolean> = {
  text: isText,
  'empty text': (value) => value === '',
  number: (value) => Number.isFinite(value),
  boolean: (value) => typeof value === 'boolean',
  texts: (value) => Array.isArray(value) && value.every(isText),
  'map of texts': (value) => isObject(value) && Object.values(value).every(isText),
  absent: (value) => value === undefined,
  SVG: (value) => isText(value) && String(value).startsWith('<svg '),
};

/** The values that a client could not read, such as `following[0].tags is not text`. */
export function findUnreadable(value: unknown, reads: Reads, at = 'the answer'): string[] {
  if (typeof reads === 'string') return TESTS[reads](value) ? [] : [`${at} is not ${reads}`];
  if (isArrayOfReads(reads)) return findUnreadableEntries(value, reads, at);
  if (!isObject(value)) return [`${at} is not an object`];
  return Object.entries(reads).flatMap(([key, read]) => findUnreadable(value[key], read, `${at}.${key}`));
}

// Array.isArray does not narrow readonly arrays.
const isArrayOfReads = (reads: Reads): reads is readonly [] | readonly [Reads] => Array.isArray(reads);

function findUnreadableEntries(value: unknown, [entry]: readonly [] | readonly [Reads], at: string): string[] {
  if (!Array.isArray(value)) return [`${at} is not an array`];
  if (entry === undefined) return value.length === 0 ? [] : [`${at} is not empty`];
  if (value.length === 0) return [`${at} is empty`];
  return value.flatMap((item, index) => findUnreadable(item, entry, `${at}[${index}]`));
}
