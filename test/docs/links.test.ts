import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { anchorsOf, linksIn } from '../support/markdown-links.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const pages = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...['docs', 'bench', 'packages/client', 'skills'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => join(folder, name)),
  ),
];
/** Generated from the code; their own tests check that they are there. */
const GENERATED = ['docs/errors.md', 'docs/settings.md'];

function findBrokenLinks(page: string): string[] {
  const links = linksIn(readFileSync(join(root, page), 'utf8'));
  return links.filter((link) => !/^https?:/.test(link) && !resolves(page, link));
}

function resolves(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? join(root, page) : join(root, dirname(page), path);
  if (GENERATED.includes(relative(root, target))) return true;
  return existsSync(target) && (anchor === undefined || anchorsOf(readFileSync(target, 'utf8')).includes(anchor));
}

describe('relative links in the documentation', () => {
  it.each(pages)('%s links only to files and headings that exist', (page) => {
    expect(findBrokenLinks(page)).toEqual([]);
  });
});
