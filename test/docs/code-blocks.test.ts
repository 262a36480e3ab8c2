import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** Without indentation, which differs between a page and a file. */
const withoutIndentation = (text: string) => text.replace(/^ +/gm, '').trim();

const blocks = [...read('docs/adding-a-lookup.md').matchAll(/^```ts\n\/\/ (?<path>\S+)\n(?<code>.*?)^```/gms)];

describe('docs/adding-a-lookup.md', () => {
  it('has blocks of code', () => {
    expect(blocks).not.toEqual([]);
  });

  it.each(blocks.map(({ groups }) => ({ path: groups?.path ?? '', code: groups?.code ?? '' })))(
    'shows code that is in $path',
    ({ path, code }) => {
      const file = withoutIndentation(read(path));
      for (const part of code.split('// …\n')) expect(file).toContain(withoutIndentation(part));
    },
  );
});
