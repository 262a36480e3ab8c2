import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);
const page = readFileSync(new URL('docs/security.md', root), 'utf8');
const named = [...new Set(page.match(/\btest\/[\w./-]+/g))];

describe('docs/security.md', () => {
  it('names only tests that exist', () => {
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((file) => !file.endsWith('.test.ts') || !existsSync(new URL(file, root)))).toEqual([]);
  });
});
