import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
// TypeScript alone is not enough: npm keeps it as an optional peer of viem when development dependencies are omitted.
const missing = ['typescript', '@types/node', '@types/better-sqlite3'].filter(
  (name) => !existsSync(`${root}/node_modules/${name}`),
);

if (missing.length === 0) {
  for (const project of ['tsconfig.build.json', 'tsconfig.client.json']) {
    const tsc = ['node_modules/typescript/bin/tsc', '-p', project];
    process.exitCode ||= spawnSync(process.execPath, tsc, { cwd: root, stdio: 'inherit' }).status ?? 1;
  }
} else {
  process.stderr.write(`prepare: not compiled, ${missing.join(', ')} not installed; dist/ is left as it is\n`);
}
