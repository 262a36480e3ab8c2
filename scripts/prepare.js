import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
// TypeScript alone is not enough: npm keeps it as an optional peer of viem when development dependencies are omitted.
const missing = ['typescript', '@types/node', '@types/better-sqlite3', 'vite', 'preact'].filter(
  (name) => !existsSync(`${root}/node_modules/${name}`),
);

if (missing.length === 0) {
  const { status } = spawnSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit', shell: true });
  process.exitCode = status ?? 1;
} else {
  process.stderr.write(`prepare: not compiled, ${missing.join(', ')} not installed; dist/ is left as it is\n`);
}
