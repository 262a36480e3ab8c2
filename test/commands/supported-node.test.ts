import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { failureIn, KITH, PROJECT, run } from './run-kith.ts';

const { engines } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8'));

/** Runs `kith --help` with a faked version of Node.js. */
function runOn(version: string) {
  const pretend = `Object.defineProperty(process.versions, 'node', { value: '${version}' })`;
  return run(process.execPath, ['--import', `data:text/javascript,${pretend}`, KITH, '--help'], { env: {} });
}

describe('the supported versions of Node.js', () => {
  it('are those that package.json declares', () => {
    expect(engines.node).toBe('>=22.14');
  });

  it.each(['18.20.8', '20.20.2', '22.13.1'])('do not include %s, which is rejected in one line', async (version) => {
    const { code, stdout, stderr } = await runOn(version);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(failureIn(stderr)).toBe(`Node.js ${version} is not supported: use 22.14 or later [E_NODE_VERSION]`);
  });

  it.each(['22.14.0', '24.0.0', '26.10.0'])('include %s', async (version) => {
    const { code, stderr } = await runOn(version);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });
});

describe('npm start', () => {
  it('sets the same flags of Node.js as the first line of bin/kith.js', () => {
    const { scripts } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8'));
    const [, flags = ''] = /^#!\/usr\/bin\/env -S node (--.*)\n/.exec(readFileSync(KITH, 'utf8')) ?? [];
    expect(flags).not.toBe('');
    expect(scripts.start).toBe(`node ${flags} bin/kith.js start`);
  });
});
