import { execFileSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const ON_MAC = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Path of an installed Chromium. Installs one if there is none and the process is root on Debian. */
export function findChromium(): string {
  const found = findInstalled();
  if (found !== undefined) return found;
  if (process.getuid?.() === 0 && findOnPath(['apt-get']) !== undefined) {
    install();
    const installed = findInstalled();
    if (installed !== undefined) return installed;
  }
  throw new Error(
    'The tests of clients need Chromium. Install it (Debian: apt-get install chromium) or set CHROMIUM_PATH to its executable.',
  );
}

function findInstalled(): string | undefined {
  const { CHROMIUM_PATH } = process.env;
  return CHROMIUM_PATH || findOnPath(NAMES) || ON_MAC.find(isExecutable);
}

function findOnPath(names: readonly string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function install(): void {
  const aptGet = (...args: readonly string[]) =>
    execFileSync('apt-get', args, { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
  aptGet('update');
  aptGet('install', '-y', '--no-install-recommends', 'chromium');
}
