import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { readOpenApi } from '../../scripts/read-openapi.ts';
import { CLIENTS } from '../published-clients/clients.ts';

const read = (page: string) => readFileSync(new URL(`../../docs/${page}`, import.meta.url), 'utf8');
const [, below = '', outside = ''] = read('compatibility.md').split(/^## .*$/m);

/** The cells of each row of a table whose first column has the title. */
function rowsOf(text: string, title: string): string[][] {
  const [, rows = ''] = new RegExp(`^\\| ${title} .*\\n\\|[-| ]+\\n((?:\\|.*\\n)*)`, 'm').exec(text) ?? [];
  return rows
    .trimEnd()
    .split('\n')
    .map((row) =>
      row
        .split('|')
        .map((cell) => cell.trim())
        .slice(1),
    );
}

/** Rows as `GET /api/v1/users/{}/account`, whatever the parameters are called. */
const routesOf = (section: string, prefix: string) =>
  rowsOf(section, 'path').flatMap(([paths = '', word = '']) =>
    [...paths.matchAll(/`(?:(POST) )?([^`]+)`/g)].map(([, method = 'GET', path = '']) => ({
      route: `${method} ${prefix}${path.replace(/:\w+/g, '{}')}`,
      word,
    })),
  );

describe('docs/compatibility.md', () => {
  const rows = [...routesOf(below, '/api/v1'), ...routesOf(outside, '')];
  let routes: string[];
  beforeAll(async () => {
    const { paths } = await readOpenApi();
    routes = Object.entries<object>(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, '{}')}`),
    );
  });

  it('marks each route with one of the words that it explains', () => {
    const words = rowsOf(read('compatibility.md'), 'word').map(([word]) => word);
    expect(rows.filter(({ word }) => !words.includes(word))).toEqual([]);
  });

  it('marks exactly the routes of Kith as present, each once', () => {
    const present = rows.filter(({ word }) => word !== 'absent').map(({ route }) => route);
    expect(present.toSorted()).toEqual(routes.toSorted());
  });

  it('marks no route of Kith as absent', () => {
    const absent = rows.filter(({ word }) => word === 'absent').map(({ route }) => route);
    expect(absent.length).toBeGreaterThan(0);
    expect(absent.filter((route) => routes.includes(route))).toEqual([]);
  });
});

describe('docs/clients.md', () => {
  it('lists each client whose requests are tested, with its outcome', () => {
    const listed = rowsOf(read('clients.md'), 'client').map(([client, language, outcome]) => [
      client,
      language,
      outcome,
    ]);
    expect(listed).toEqual(CLIENTS.map(({ client, language, outcome }) => [client, language, outcome]));
  });
});
