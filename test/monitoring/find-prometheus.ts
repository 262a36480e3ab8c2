import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT } from '../commands/run-kith.ts';
import { canInstall, downloadPackage, findOnPath, isExecutable } from '../support/debian.ts';

export interface PrometheusPrograms {
  readonly prometheus: string;
  readonly promtool: string;
}

const BUILD = join(PROJECT, 'build');
const UNPACKED = join(BUILD, 'prometheus');

/** Paths of Prometheus's programs. Gets Debian's package if they are not installed and the process is root on Debian. */
export function findPrometheus(): PrometheusPrograms {
  const found = findIn((name) => findOnPath([name])) ?? findIn(unpacked);
  if (found !== undefined) return found;
  if (canInstall()) {
    unpackPackage();
    const programs = findIn(unpacked);
    if (programs !== undefined) return programs;
  }
  throw new Error('The tests of monitoring need prometheus and promtool (Debian: apt-get install prometheus).');
}

function findIn(find: (name: string) => string | undefined): PrometheusPrograms | undefined {
  const [prometheus, promtool] = [find('prometheus'), find('promtool')];
  return prometheus === undefined || promtool === undefined ? undefined : { prometheus, promtool };
}

function unpacked(name: string): string | undefined {
  const path = join(UNPACKED, 'usr/bin', name);
  return isExecutable(path) ? path : undefined;
}

/** Not installed, because that would start a server. */
function unpackPackage(): void {
  mkdirSync(BUILD, { recursive: true });
  const folder = mkdtempSync(join(BUILD, 'prometheus-'));
  try {
    downloadPackage('prometheus', folder);
    const [file] = readdirSync(folder);
    execFileSync('dpkg-deb', ['--extract', join(folder, file ?? ''), join(folder, 'unpacked')]);
    renameSync(join(folder, 'unpacked'), UNPACKED);
  } catch (error) {
    // A test in another process may have unpacked it meanwhile.
    if (unpacked('prometheus') === undefined) throw error;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
