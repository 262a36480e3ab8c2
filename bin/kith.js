#!/usr/bin/env -S node --max-semi-space-size=8
import { existsSync, readFileSync } from 'node:fs';

const main = new URL('../dist/main.js', import.meta.url);
const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const [major, minor] = process.versions.node.split('.').map(Number);
const [minMajor, minMinor] = engines.node.match(/\d+/g).map(Number);

if (major < minMajor || (major === minMajor && minor < minMinor)) {
  fail(`Node.js ${process.versions.node} is not supported: use ${minMajor}.${minMinor} or later [E_NODE_VERSION]`);
} else if (!existsSync(main)) {
  fail('dist/ is missing: run "npm ci && npm run build" first [E_NOT_BUILT]');
} else {
  // A dynamic import, because the native SQLite binding crashes older versions of Node.js.
  await import(main.href);
}

function fail(message) {
  process.stderr.write(`kith: ${message}\n`);
  process.exitCode = 1;
}
