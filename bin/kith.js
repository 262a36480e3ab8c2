#!/usr/bin/env -S node --max-semi-space-size=8
import { existsSync, readFileSync } from 'node:fs';

const main = new URL('../dist/main.js', import.meta.url);
const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const [major, minor] = process.versions.node.split('.').map(Number);
const [minMajor, minMinor] = engines.node.match(/\d+/g).map(Number);

if (major < minMajor || (major === minMajor && minor < minMinor)) {
  fail('E_NODE_VERSION', `Node.js ${process.versions.node} is not supported: use ${minMajor}.${minMinor} or later`);
} else if (!existsSync(main)) {
  fail('E_NOT_BUILT', 'dist/ is missing: run "npm ci && npm run build" first');
} else {
  // A dynamic import, because the native SQLite binding crashes older versions of Node.js.
  await import(main.href);
}

function fail(code, msg) {
  // As `printFailure` does: 60 is the level of fatal errors.
  const line = { level: 60, time: Date.now(), pid: process.pid, code, msg };
  process.stderr.write(process.stderr.isTTY ? `kith: ${msg} [${code}]\n` : `${JSON.stringify(line)}\n`);
  process.exitCode = 1;
}
