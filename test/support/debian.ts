import { execFileSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/** The path of the first of `names` that is an executable on the PATH. */
export function findOnPath(names: readonly string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** For hooks that install a package: on a new machine and a slow network it takes minutes. */
export const INSTALL_MS = 600_000;

/** Whether this process may install Debian packages. */
export function canInstall(): boolean {
  return process.getuid?.() === 0 && findOnPath(['apt-get']) !== undefined;
}

export function installPackage(name: string): void {
  aptGet(['update']);
  aptGet(['install', '-y', '--no-install-recommends', name]);
}

/** Downloads a package into a folder, without installing it. */
export function downloadPackage(name: string, folder: string): void {
  aptGet(['update']);
  aptGet(['download', name], folder);
}

/** Test files run in parallel, and apt-get fails if another one runs. */
const LOCK = join(tmpdir(), 'kith-test-apt.lock');

function aptGet(args: readonly string[], cwd?: string): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  execFileSync('flock', [LOCK, 'apt-get', ...args], { stdio: 'inherit', env, cwd });
}
