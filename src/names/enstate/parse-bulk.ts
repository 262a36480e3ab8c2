import { asObject, BadInputError, fail } from '../../protocol/bad-input.ts';
import { parseJson } from '../../remote/fetch-answer.ts';

export function parseBody(text: string): unknown {
  const body = parseJson(text);
  if (body === undefined) throw new BadInputError(`${text.length} characters of invalid JSON`);
  return body;
}

/** Returns the results of `count` queries, in query order. */
export function parseBulk(text: string, count: number): readonly unknown[] {
  const { response } = asObject(parseBody(text));
  if (!Array.isArray(response)) return fail('response', 'an array', response);
  // Results have no key, so a missing one makes all of them ambiguous.
  if (response.length !== count) return fail('response', `${count} results`, response.length);
  return response;
}

/** Returns the error status of one result of a bulk response, null if it is a profile. */
export function parseEntryStatus(value: unknown): number | null {
  const { type, status } = asObject(value);
  if (type === 'success') return null;
  if (type !== 'error') return fail('type', 'success or error', type);
  return typeof status === 'number' ? status : fail('status', 'a number', status);
}

const TOO_MANY = /maximum input length exceeded \(expected at most (\d{1,6})\)/;

/** Extracts the bulk limit from an error message; null if the error has another cause. */
export function parseLimit(text: string): number | null {
  const [, limit] = TOO_MANY.exec(text) ?? [];
  return limit === undefined ? null : Number(limit);
}
