import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';

/** The version of the package, for everything that shows it. */
export const VERSION = readVersion();

function readVersion(): string {
  const file = findPackageJSON('.', import.meta.url);
  if (file === undefined) throw new Error(`no package.json above ${import.meta.url}`);
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string };
  return version;
}
