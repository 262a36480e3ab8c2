import { cpSync, mkdirSync, mkdtempSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { PROJECT, run } from './run-kith.ts';

const RUNTIME = `node-${process.platform}-${process.arch}`;

/** A clone in which npm has installed nothing but these packages. */
function createClone(...packages: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'kith-clone-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const part of ['package.json', 'bin', 'scripts']) {
    cpSync(join(PROJECT, part), join(folder, part), { recursive: true });
  }
  for (const name of packages) mkdirSync(join(folder, 'node_modules', name), { recursive: true });
  return folder;
}

/** Runs the script with a faked version of Node.js. */
function prepare(folder: string, version: string) {
  const pretend = `Object.defineProperty(process.versions, 'node', { value: '${version}' })`;
  const args = ['--import', `data:text/javascript,${pretend}`, join(folder, 'scripts/prepare.js')];
  return run(process.execPath, args, { env: {} });
}

describe('scripts/prepare.js', () => {
  it('fails in one line if Node.js is too old and no pinned one is installed', async () => {
    expect(await prepare(createClone(), '20.20.2')).toEqual({
      code: 1,
      stdout: '',
      stderr: `prepare: Node.js 20.20.2 is not supported: use 22.14 or later; no pinned Node.js is installed for ${process.platform}-${process.arch}\n`,
    });
  });

  it('links the pinned Node.js for npm scripts, also a second time', async () => {
    const clone = createClone(RUNTIME);
    for (let attempt = 1; attempt <= 2; attempt++) expect((await prepare(clone, '20.20.2')).code).toBe(0);
    expect(readlinkSync(join(clone, 'node_modules/.bin/node'))).toBe(`../${RUNTIME}/bin/node`);
  });

  it('compiles nothing if development dependencies are omitted', async () => {
    const { code, stderr } = await prepare(createClone('typescript'), '22.14.0');
    expect(code).toBe(0);
    expect(stderr).toMatch(/^prepare: not compiled, @types\/node, .+ not installed; dist\/ is left as it is\n$/);
  });
});
