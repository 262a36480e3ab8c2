import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// The headless shell has no window to draw, so a page starts faster in it.
const CHROMIUM = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const CHROMIUM_ON_MAC = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
/** Where scripts/system-programs.sh unpacks Prometheus. */
const UNPACKED = fileURLToPath(new URL('../../build/prometheus/usr/bin', import.meta.url));

const HOW_TO_INSTALL = `npm run test:system needs Chromium, and prometheus and promtool of Prometheus:
  Debian, as root: scripts/system-programs.sh (installs chromium-headless-shell; Prometheus is unpacked in build/)
  other Linux:     your package manager, or CHROMIUM_PATH=/path/to/chromium
  macOS:           brew install prometheus && brew install --cask google-chrome`;

/** Path of Chromium or Chrome. */
export function findChromium(): string {
  const { CHROMIUM_PATH } = process.env;
  return CHROMIUM_PATH || find('Chromium', [...CHROMIUM.flatMap(onPath), ...CHROMIUM_ON_MAC]);
}

/** Path of a program of Prometheus. */
export function findPrometheus(program: 'prometheus' | 'promtool'): string {
  return find(program, [...onPath(program), join(UNPACKED, program)]);
}

function find(name: string, paths: readonly string[]): string {
  const path = paths.find(isExecutable);
  if (path === undefined) throw new Error(`${name} was not found. ${HOW_TO_INSTALL}`);
  return path;
}

function onPath(name: string): string[] {
  return (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
