import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { readOpenApi } from '../../scripts/read-openapi.ts';
import { GROUPS } from '../../src/http/routes/route.ts';
import { findExamples } from './examples.ts';

const page = readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8');

interface Lookup {
  readonly path: string;
  readonly parameters: readonly string[];
}

interface Operation {
  readonly tags: readonly string[];
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
}

const sectionOf = (title: string) => page.split(/^## /m).find((text) => text.toLowerCase().startsWith(`${title}\n`));
const quoted = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text);
const byPath = (a: Lookup, b: Lookup) => (a.path < b.path ? -1 : 1);

/** The lookups in the first table of a section; one row may have several paths. */
function lookupsIn(section: string): Lookup[] {
  const [, rows = ''] = /\n\| path .*?\n\|[-| ]+\n(.*?)\n\n/s.exec(section) ?? [];
  return rows.split('\n').flatMap((row) => {
    const [, paths = '', parameters = ''] = row.split('|');
    return quoted(paths).map((path) => ({ path, parameters: quoted(parameters).toSorted() }));
  });
}

describe('docs/api.md', () => {
  let paths: Record<string, Record<string, Operation>>;
  beforeAll(async () => {
    ({ paths } = await readOpenApi());
  });

  it.each(Object.keys(GROUPS))('has a table of the lookups and parameters in the group %s', (group) => {
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
    );
    const expected = operations
      .filter(({ tags }) => tags.includes(group))
      .map(({ path, method, parameters = [] }) => ({
        path: `${method === 'get' ? '' : 'POST '}${path.replace('/api/v1', '').replace(/\{(\w+)\}/g, ':$1')}`,
        parameters: parameters
          .filter((parameter) => parameter.in === 'query' && !['cache', 'after'].includes(parameter.name))
          .map(({ name }) => name)
          .toSorted(),
      }));
    expect(lookupsIn(sectionOf(group) ?? '').toSorted(byPath)).toEqual(expected.toSorted(byPath));
  });

  it.each(Object.keys(GROUPS))('has an example in the section of the group %s', (group) => {
    expect(findExamples(sectionOf(group) ?? '')).not.toEqual([]);
  });

  it('has an example of each of the seven endpoints of the contract', () => {
    const shown = findExamples(page)
      .flatMap(({ requests }) => requests)
      .map(({ path }) => path.replace(/\?.*/, '').replace(/(?<=^\/(lists|users)\/)[^/]+/, ':'));
    expect(shown).toEqual(
      expect.arrayContaining([
        '/leaderboard/search',
        '/lists/:/badges',
        '/lists/:/details',
        '/lists/:/followers',
        '/users/:/badges',
        '/users/:/followers',
        '/users/:/notifications',
      ]),
    );
  });
});
