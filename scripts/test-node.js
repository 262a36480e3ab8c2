import { spawnSync } from 'node:child_process';

// Runs npm test on another version of Node.js, taken from npm: npm run test:node -- 22
const [version, ...filters] = process.argv.slice(2);
if (version === undefined || !/^\d+(\.\d+){0,2}$/.test(version)) {
  process.stderr.write(
    'usage: npm run test:node -- VERSION [ARGUMENTS OF VITEST], with a version such as 22 or 24.21.0\n',
  );
  process.exitCode = 2;
} else {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const runtime = `node-${platform}-${process.arch}@${version}`;
  const suite = ['node', 'node_modules/vitest/vitest.mjs', 'run', ...filters];
  const { status } = spawnSync('npm', ['exec', '--yes', `--package=${runtime}`, '--', ...suite], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  process.exitCode = status ?? 1;
}
