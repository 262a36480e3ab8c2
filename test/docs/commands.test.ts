import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { KITH, PROJECT, run } from '../commands/run-kith.ts';

describe('the table of commands in README.md', () => {
  it('has those that "kith --help" lists, in the same order', async () => {
    const { stdout: help } = await run(process.execPath, [KITH, '--help'], { env: {} });
    const [, listed = ''] = help.split(/^Commands:$|^kith COMMAND/m);
    const [, table = ''] = readFileSync(join(PROJECT, 'README.md'), 'utf8').split(/^## (?:Commands|Documentation)$/m);
    const commands = [...listed.matchAll(/^ {2}(\w+)/gm)].map(([, name]) => name);
    expect(commands).toContain('start');
    expect([...table.matchAll(/^\| `(\w+)/gm)].map(([, name]) => name)).toEqual(commands);
  });
});
