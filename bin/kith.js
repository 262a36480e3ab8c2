#!/usr/bin/env -S node --max-semi-space-size=8
import { existsSync } from 'node:fs';
import { findNodeFault } from './supported-node.js';

const main = new URL('../dist/main.js', import.meta.url);
const nodeFault = findNodeFault(process.versions.node);

if (nodeFault !== null) {
  fail('E_NODE_VERSION', nodeFault);
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
