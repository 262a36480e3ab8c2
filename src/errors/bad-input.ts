import { OperatorError } from './operator-error.ts';

/** Invalid input; the message names the field. */
export class BadInputError extends OperatorError {
  readonly code = 'E_BAD_INPUT';
  /** The invalid item, if the input has many. */
  readonly culprit: object | undefined;

  constructor(message: string, culprit?: object) {
    super(message);
    this.culprit = culprit;
  }
}

/** `field` is omitted if the value is the whole input. */
export function asObject(value: unknown, field?: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  const where = field === undefined ? '' : `${field}: `;
  throw new BadInputError(`${where}expected a JSON object, got ${describe(value)}`);
}

export function fail(field: string, expected: string, got: unknown): never {
  throw new BadInputError(`${field}: expected ${expected}, got ${describe(got)}`);
}

/** Empty if the value is null or missing. */
export function parseOptionalText(field: string, value: unknown): string {
  const text = value ?? '';
  return typeof text === 'string' ? text : fail(field, 'text or null', text);
}

/** `expected` describes the number in the error message. */
export function parseWholeNumber(field: string, value: unknown, expected: string): number {
  const valid = typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
  return valid ? value : fail(field, expected, value);
}

/** What a `Date` can hold. */
const MAX_TIME_MS = 8.64e15;

export function parseTimeMs(field: string, value: unknown): number {
  const expected = 'a time in Unix milliseconds';
  const time = parseWholeNumber(field, value, expected);
  return time <= MAX_TIME_MS ? time : fail(field, expected, value);
}

const MAX_SHOWN = 80;

function describe(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
