import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const page = readFileSync(new URL('../../docs/architecture.md', import.meta.url), 'utf8');

/** The rows of the folder table: the folder, and the folders that it may import. */
function readFolderTable(): Record<string, string[] | '*'> {
  const [, table = ''] = /\n\| folder .*?\n\|[-| ]+\n(.*?)\n\n/s.exec(page) ?? [];
  return Object.fromEntries(
    table.split('\n').map((row) => {
      const [, folder = '', allowed = ''] = row.split('|').map((cell) => cell.trim());
      const names = [...allowed.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
      return [folder.replaceAll('`', ''), allowed === 'all' ? '*' : names];
    }),
  );
}

describe('docs/architecture.md', () => {
  it('lists the folders and their allowed imports as .dependency-cruiser.mjs does', async () => {
    const config = new URL('../../.dependency-cruiser.mjs', import.meta.url).href;
    const { MAY_IMPORT } = (await import(config)) as { MAY_IMPORT: Record<string, string[] | '*'> };
    expect(readFolderTable()).toEqual(MAY_IMPORT);
  });
});
