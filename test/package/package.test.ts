import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { follow, PROJECT } from '../commands/run-kith.ts';
import { BARE_ENV, type InstalledPackage, installPackage, runModule } from './install-package.ts';

const read = (file: string) => JSON.parse(readFileSync(join(PROJECT, file), 'utf8'));
const manifest = read('package.json');
const lockfile = read('package-lock.json');

describe('the tarball of npm pack, installed in an empty folder', () => {
  let installed: InstalledPackage;
  const kith = (...args: string[]) => {
    const running = follow(join(installed.folder, 'node_modules/.bin/kith'), args, {
      cwd: installed.folder,
      env: { ...BARE_ENV, PORT: '0' },
    });
    onTestFinished(async () => {
      running.child.kill('SIGKILL');
      await running.outcome;
    });
    return running;
  };

  beforeAll(async () => {
    installed = await installPackage('.');
  }, 400_000);
  afterAll(() => installed && rm(dirname(installed.folder), { recursive: true }));

  it('has what is needed to run it and to operate it only', () => {
    const expected = [
      /^(bin\/.+\.js|package\.json|(README|CHANGELOG)\.md|LICENSE)$/,
      /^dist\/.+\.(js|html|css|svg|br|gz)$/,
      /^dist\/http\/generated\/examples\.json$/,
    ];
    // The operator's own files are beside those of deploy, and must not be published.
    const committed = execFileSync('git', ['ls-files', 'deploy', 'docs/*.md', 'docs/recipes/*.js'], {
      cwd: PROJECT,
      encoding: 'utf8',
    });
    const isExpected = (path: string) =>
      committed.split('\n').includes(path) || expected.some((pattern) => pattern.test(path));
    expect(installed.files.filter((path) => !isExpected(path))).toEqual([]);
    expect(installed.files).toEqual(
      expect.arrayContaining([
        'LICENSE',
        'README.md',
        'dist/main.js',
        'deploy/systemd/kith.service',
        'docs/operating.md',
      ]),
    );
  });

  it('brings no development dependency', () => {
    const development = Object.keys(manifest.devDependencies).filter((name) => {
      const { dev, devOptional } = lockfile.packages[`node_modules/${name}`];
      return dev || devOptional;
    });
    expect(development).toEqual(expect.arrayContaining(['typescript', 'vite', 'vitest']));
    expect(installed.packages).toEqual(expect.arrayContaining(Object.keys(manifest.dependencies)));
    expect(installed.packages.filter((name) => development.includes(name))).toEqual([]);
  });

  it('compiles nothing', () => {
    expect(existsSync(join(installed.folder, 'node_modules/better-sqlite3/build'))).toBe(false);
  });

  it('has the files that it exports', async () => {
    const files = Object.values<string | Record<string, string>>(manifest.exports)
      .flatMap((target) => (typeof target === 'string' ? [target] : Object.values(target)))
      .filter((file) => !existsSync(join(installed.home, file)));
    expect(files).toEqual([]);
    const specifiers = Object.keys(manifest.exports).map((path) => path.replace('.', manifest.name));
    const { stdout } = await runModule(
      installed,
      `for (const name of ${JSON.stringify(specifiers)}) console.log(import.meta.resolve(name))`,
    );
    expect(stdout.trim().split('\n')).toHaveLength(specifiers.length);
  });

  it('prints its version', async () => {
    expect(await kith('--version').outcome).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: '' });
  });

  it('serves the demo graph, the explorer and the documentation, and stops on SIGTERM', async () => {
    const { child, outcome, untilSaid } = kith('start');
    const [, url = ''] = await untilSaid(/Kith listens on (http:\S+\d)/);
    const page = await (await fetch(`${url}/`)).text();
    const [, script] = /<script[^>]* src="([^"]+)"/.exec(page) ?? [];
    const paths = ['/health', '/ready', '/status', '/metrics', '/openapi.json', '/docs/', `${script}`];
    for (const path of paths) expect(await fetch(`${url}${path}`), path).toMatchObject({ status: 200 });

    expect(existsSync(join(installed.folder, 'data/kith.db'))).toBe(true);
    child.kill('SIGTERM');
    expect(await outcome).toMatchObject({ code: 0 });
  });
});
