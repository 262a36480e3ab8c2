import { asObject, BadInputError, fail } from '../../protocol/bad-input.ts';
import { parseJson } from '../../remote/fetch-answer.ts';

export function parseBody(text: string): unknown {
  const body = parseJson(text);
  if (body === undefined) throw new BadInputError(`${text.length} characters that are not JSON`);
  return body;
}

/** The answers to `asked` queries, in their order. */
export function parseBulk(text: string, asked: number): readonly unknown[] {
  const { response } = asObject(parseBody(text));
  if (!Array.isArray(response)) return fail('response', 'an array', response);
  // With one answer too few, nobody knows whose is missing.
  if (response.length !== asked) return fail('response', `${asked} answers`, response.length);
  return response;
}

/** The status that one answer of a bulk has in place of a profile, null when it is a profile. */
export function parseEntryStatus(value: unknown): number | null {
  const { type, status } = asObject(value);
  if (type === 'success') return null;
  if (type !== 'error') return fail('type', 'success or error', type);
  return typeof status === 'number' ? status : fail('status', 'a number', status);
}

const TOO_MANY = /maximum input length exceeded \(expected at most (\d{1,6})\)/;

/** How many queries a bulk may hold, where the server has refused one because of that; else null. */
export function parseLimit(text: string): number | null {
  const [, limit] = TOO_MANY.exec(text) ?? [];
  return limit === undefined ? null : Number(limit);
}
