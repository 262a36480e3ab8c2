import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PROBLEMS } from '../../src/contract/problems.ts';
import { ERROR_CODES } from '../../src/errors/operator-error.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const sections = read('docs/errors.md').split(/^## /m);

/** The first cells of the table in a section, header aside. */
function codesIn(title: string): string[] {
  const section = sections.find((text) => text.startsWith(`${title}\n`)) ?? '';
  return [...section.matchAll(/^\| `([^`]+)` /gm)].map(([, code = '']) => code);
}

describe('docs/errors.md', () => {
  it('has one line for every error code of a command, and no other line', () => {
    expect(codesIn('Commands')).toEqual(ERROR_CODES);
  });

  it('has one line for every HTTP problem code, and no other line', () => {
    expect(codesIn('HTTP').toSorted()).toEqual(Object.keys(PROBLEMS).toSorted());
  });

  it('shows the HTTP status of every problem code', () => {
    const http = sections.find((text) => text.startsWith('HTTP\n')) ?? '';
    const statuses = [...http.matchAll(/^\| `([^`]+)` +\| (\d+) /gm)].map(([, code, status]) => [code, Number(status)]);
    expect(Object.fromEntries(statuses)).toEqual(
      Object.fromEntries(Object.entries(PROBLEMS).map(([code, { status }]) => [code, status])),
    );
  });

  it('lists the codes that bin/kith.js prints before the program is loaded', () => {
    const printed = [...read('bin/kith.js').matchAll(/'(E_[A-Z_]+)'/g)].map(([, code]) => code);
    expect(printed).toEqual(['E_NODE_VERSION', 'E_NOT_BUILT']);
    expect(codesIn('Commands')).toEqual(expect.arrayContaining(printed));
  });
});
