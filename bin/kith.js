#!/usr/bin/env node
import { existsSync, readFileSync } from 'node:fs';

const main = new URL('../dist/main.js', import.meta.url);
const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const [major, minor] = process.versions.node.split('.').map(Number);
const [leastMajor, leastMinor] = engines.node.match(/\d+/g).map(Number);

if (major < leastMajor || (major === leastMajor && minor < leastMinor)) {
  fail(`Node.js ${process.versions.node} is not supported: Kith needs Node.js ${leastMajor}.${leastMinor} or later`);
} else if (!existsSync(main)) {
  fail('dist/ is missing: run "npm ci && npm run build" first');
} else {
  // Loaded only now: the native SQLite binding crashes an older Node.js on import.
  await import(main.href);
}

function fail(message) {
  process.stderr.write(`kith: ${message}\n`);
  process.exitCode = 1;
}
