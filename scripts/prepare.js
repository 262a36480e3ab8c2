import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findNodeFault } from '../bin/supported-node.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const platform = `${process.platform}-${process.arch}`;
const isInstalled = (name) => existsSync(`${root}/node_modules/${name}`);

const nodeFault = linkRuntime() ? null : findNodeFault(process.versions.node);
if (nodeFault === null) {
  build();
} else {
  process.stderr.write(`prepare: ${nodeFault}; no pinned Node.js is installed for ${platform}\n`);
  process.exitCode = 1;
}

/** Links the pinned Node.js where npm scripts find it first: npm 10 removes the link that it made. */
function linkRuntime() {
  const runtime = `node-${platform}`;
  if (!isInstalled(runtime)) return false;
  const link = `${root}/node_modules/.bin/node`;
  mkdirSync(`${root}/node_modules/.bin`, { recursive: true });
  rmSync(link, { force: true });
  symlinkSync(`../${runtime}/bin/node`, link);
  return true;
}

function build() {
  // TypeScript alone is not enough: npm keeps it as an optional peer of viem when development dependencies are omitted.
  const needed = ['typescript', '@types/node', '@types/better-sqlite3', 'vite', 'preact'];
  const missing = needed.filter((name) => !isInstalled(name));
  if (missing.length === 0) {
    const { status } = spawnSync('npm run --silent build', { cwd: root, stdio: 'inherit', shell: true });
    process.exitCode = status ?? 1;
  } else {
    process.stderr.write(`prepare: not compiled, ${missing.join(', ')} not installed; dist/ is left as it is\n`);
  }
}
