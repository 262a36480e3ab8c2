import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { findReleaseFaults, type ReleaseFiles } from '../../scripts/find-release-faults.ts';

const GOOD: ReleaseFiles = {
  packageJson: { version: '1.2.3', repository: { url: 'https://git.example/kith' } },
  clientJson: { version: '0.4.0' },
  packageLock: {
    version: '1.2.3',
    packages: {
      '': { version: '1.2.3' },
      'packages/client': { version: '0.4.0' },
      'node_modules/a': { version: '9.0.0' },
    },
  },
  changelog: `# Changelog

## [Unreleased]

### Added

- Something.

## [1.2.3] - 2026-02-28

## [1.2.2] - 2026-01-31
`,
  openApi: { info: { version: '1.2.3' } },
  tag: 'v1.2.3',
};
const changelog = (from: string, to: string) => ({ changelog: GOOD.changelog.replace(from, to) });

describe('findReleaseFaults', () => {
  it('accepts files that agree', () => {
    expect(findReleaseFaults(GOOD)).toEqual([]);
  });

  it('accepts a version between two releases, without a tag', () => {
    expect(findReleaseFaults({ ...GOOD, packageJson: { version: '1.2.3' }, tag: null })).toEqual([]);
  });

  it('accepts a pre-release', () => {
    const text = JSON.stringify(GOOD).replaceAll('1.2.3', '1.2.3-rc.1');
    expect(findReleaseFaults(JSON.parse(text))).toEqual([]);
  });

  it.each<[string, Partial<ReleaseFiles>, RegExp]>([
    ['a version that is none', { packageJson: { version: '1.2' } }, /^package\.json: .*got "1\.2"$/],
    ['a version that is missing', { packageJson: {} }, /^package\.json: /],
    [
      'a lockfile of another version',
      { packageLock: { ...GOOD.packageLock, version: '1.2.2' } },
      /^package-lock\.json: version: expected 1\.2\.3, .*got 1\.2\.2$/,
    ],
    [
      'a lockfile whose root package has another version',
      { packageLock: { ...GOOD.packageLock, packages: { ...GOOD.packageLock.packages, '': { version: '1.2.2' } } } },
      /^package-lock\.json: version of the root package: expected 1\.2\.3, .*got 1\.2\.2$/,
    ],
    [
      'a client of another version than in the lockfile',
      { clientJson: { version: '0.4.1' } },
      /^packages\/client: .*got 0\.4\.1, and 0\.4\.0 in package-lock\.json$/,
    ],
    ['a client without a version', { clientJson: {} }, /^packages\/client: /],
    ['an OpenAPI document of another version', { openApi: { info: { version: '1' } } }, /^OpenAPI: .*got 1$/],
    ['an OpenAPI document without a version', { openApi: {} }, /^OpenAPI: .*got none$/],
    ['a tag without a repository', { packageJson: { version: '1.2.3' } }, /^package\.json: expected repository\.url/],
    ['a tag of another version', { tag: 'v1.2.2' }, /^tag: expected v1\.2\.3, .*got v1\.2\.2$/],
    ['a tag without v', { tag: '1.2.3' }, /^tag: expected v1\.2\.3, .*got 1\.2\.3$/],
    [
      'a changelog whose newest release is another one',
      changelog('[1.2.3] - 2026-02-28', '[1.2.4] - 2026-02-28'),
      /^CHANGELOG\.md: expected the newest release to be \[1\.2\.3\], .*got \[1\.2\.4\] - 2026-02-28$/,
    ],
    ['a release without a date', changelog(' - 2026-02-28', ''), /^CHANGELOG\.md: expected a date .*got none$/],
    ['a date that does not exist', changelog('02-28', '02-30'), /^CHANGELOG\.md: expected a date .*got 2026-02-30$/],
    [
      'a changelog without [Unreleased]',
      changelog('## [Unreleased]\n', '## [1.2.4]\n'),
      /^CHANGELOG\.md: .*got \[1\.2\.4\]$/,
    ],
    ['a changelog without releases', { changelog: '## [Unreleased]\n' }, /^CHANGELOG\.md: .*got none$/],
  ])('names %s', (_what, files, message) => {
    expect(findReleaseFaults({ ...GOOD, ...files })).toEqual([expect.stringMatching(message)]);
  });
});

describe('npm run release:check', () => {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const { version } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'));
  const check = async (...args: readonly string[]) => {
    try {
      const { stderr } = await promisify(execFile)(
        process.execPath,
        [...process.execArgv, 'scripts/release-check.ts', ...args],
        {
          cwd: root,
        },
      );
      return { code: 0, stderr };
    } catch (error) {
      const { code, stderr } = error as { code: number; stderr: string };
      return { code, stderr };
    }
  };

  it('passes in this repository', async () => {
    expect(await check()).toMatchObject({ code: 0 });
  });

  it('fails for another tag and says what differs', async () => {
    const { code, stderr } = await check('v0.0.1');
    expect(code).toBe(1);
    expect(stderr).toContain(`release:check: tag: expected v${version}, as in package.json, got v0.0.1\n`);
  });
});
