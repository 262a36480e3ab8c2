import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

// npm test: the parts of the suite that need npm packages only, with npm run check beside them.
// npm test -- ARGUMENTS: vitest run ARGUMENTS, such as --project unit or a file.
const PARTS = ['unit', 'store', 'chain', 'process'];
const cwd = fileURLToPath(new URL('..', import.meta.url));
const args = process.argv.slice(2);

const check = args.length === 0 ? start('npm', ['run', '--silent', 'check'], 'pipe') : undefined;
const chosen = args.length === 0 ? PARTS.flatMap((part) => ['--project', part]) : args;
const suite = start(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...chosen], 'inherit');

const codes = [await suite.exitCode];
if (check !== undefined) {
  codes.push(await check.exitCode);
  // After the results of the suite, so that they do not mix.
  process.stdout.write(`\n> npm run check\n${check.output()}`);
}
process.exitCode = codes.every((code) => code === 0) ? 0 : 1;

function start(file, parameters, stdio) {
  const child = spawn(file, parameters, { cwd, stdio: ['inherit', stdio, stdio], shell: process.platform === 'win32' });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  }
  return { exitCode: once(child, 'close').then(([code]) => code), output: () => output };
}
