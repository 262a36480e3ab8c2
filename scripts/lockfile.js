import { readFileSync, writeFileSync } from 'node:fs';

// Corrects what npm writes into package-lock.json: npm run lockfile. The reasons are in docs/decisions/012-node-runtime.md.
// With --check, nothing is written, and it is an error if there is something to correct.
const file = new URL('../package-lock.json', import.meta.url);
const written = readFileSync(file, 'utf8');
const corrected = correct(written);
if (!process.argv.includes('--check')) {
  writeFileSync(file, corrected);
} else if (corrected !== written) {
  process.stderr.write('package-lock.json is as npm has written it: run "npm run lockfile"\n');
  process.exitCode = 1;
}

function correct(text) {
  const lockfile = JSON.parse(text);
  for (const [path, locked] of Object.entries(lockfile.packages)) {
    if (!path.includes('node_modules/')) continue;
    if (!locked.link) delete locked.resolved;
    delete locked.engines;
    if (path === 'node_modules/better-sqlite3') locked.gypfile = false;
    if (path.startsWith('node_modules/node-linux-')) locked.libc = ['glibc'];
  }
  return `${JSON.stringify(lockfile, null, 2)}\n`;
}
