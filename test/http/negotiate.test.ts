import { describe, expect, it } from 'vitest';
import { negotiateFormat } from '../../src/http/request/negotiate.ts';

const CASES: readonly (readonly [accept: string | undefined, format: string])[] = [
  [undefined, 'json'],
  ['', 'json'],
  ['*/*', 'json'],
  ['application/json', 'json'],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'json'],
  ['text/csv', 'csv'],
  ['TEXT/CSV; charset=utf-8; header=present', 'csv'],
  ['text/*', 'csv'],
  ['application/x-ndjson', 'ndjson'],
  ['application/*', 'json'],
  ['application/x-ndjson, application/*;q=0.5', 'ndjson'],
  ['text/csv, application/json', 'json'],
  ['text/csv;q=0.9, application/json;q=0.8', 'csv'],
  ['text/csv;q=0.8, application/json', 'json'],
  ['text/csv;q=0.5, application/x-ndjson ; q=0.7', 'ndjson'],
  ['text/csv, */*', 'csv'],
  ['text/csv, */*;q=0.1', 'csv'],
  ['text/csv;q=0.1, */*', 'json'],
  ['text/csv;q=0, */*;q=0.5', 'json'],
  ['application/json;q=0, text/*;q=0.5, */*', 'ndjson'],
  ['text/csv;q=0', 'json'],
  ['text/csv;q=high', 'json'],
  ['text/csv-schema', 'json'],
  ['text/plain', 'json'],
];

describe('the format of an answer', () => {
  it.each(CASES)('for Accept: %s is %s', (accept, format) => {
    expect(negotiateFormat(accept)).toBe(format);
  });
});
