import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { PROJECT, run as spawnProgram } from '../commands/run-kith.ts';

const run = promisify(execFile);

export interface InstalledPackage {
  /** The project that depends on the package, empty otherwise. */
  readonly folder: string;
  /** Where the package is. */
  readonly home: string;
  /** Paths in the tarball. */
  readonly files: readonly string[];
  /** Names of all installed packages. */
  readonly packages: readonly string[];
}

/** The environment of commands in the project: the running version of Node.js and nothing else. */
export const BARE_ENV = { PATH: [dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter) };

/** Packs what `npm run build` has compiled in a folder of the project, and installs the tarball in an empty folder. */
export async function installPackage(source: string): Promise<InstalledPackage> {
  const root = await mkdtemp(join(tmpdir(), 'kith-package-'));
  const packed = await npm(PROJECT, ['pack', source, '--json', '--ignore-scripts', '--pack-destination', root]);
  // An array until npm 11, and an object by name since npm 12.
  const [{ filename, files, name }] = Object.values(JSON.parse(packed)) as [
    { filename: string; files: { path: string }[]; name: string },
  ];
  const folder = join(root, 'project');
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  await npm(folder, ['install', '--no-audit', '--no-fund', join(root, filename)]);
  const lockfile = JSON.parse(await readFile(join(folder, 'node_modules/.package-lock.json'), 'utf8'));
  return {
    folder,
    home: join(folder, 'node_modules', name),
    files: files.map(({ path }) => path),
    packages: Object.keys(lockfile.packages).map((path) => path.replace(/^.*node_modules\//, '')),
  };
}

/** Runs a module in the folder of the project that depends on the package. */
export const runModule = ({ folder }: InstalledPackage, code: string) =>
  spawnProgram(process.execPath, ['--input-type=module', '--eval', code], { cwd: folder, env: BARE_ENV });

async function npm(cwd: string, args: readonly string[]): Promise<string> {
  // As a script of the project, npm would take the project for the folder to install in.
  const { npm_config_local_prefix: _, ...env } = process.env;
  const PATH = `${dirname(process.execPath)}${delimiter}${process.env.PATH}`;
  const { stdout } = await run('npm', ['--prefix', cwd, ...args], { cwd, env: { ...env, PATH }, maxBuffer: 2 ** 24 });
  return stdout;
}
