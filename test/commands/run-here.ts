import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import type { runCommandLine } from '../../src/command-line.ts';
import { type Outcome, PROJECT, type RunOptions } from './run-kith.ts';

// As it is built, for only so are the files of its threads there.
const built: { runCommandLine: typeof runCommandLine } = await import(
  /* @vite-ignore */ pathToFileURL(join(PROJECT, 'dist/command-line.js')).href
);

/** Runs a command to its end in this process, which takes far less time than to start one. */
export async function runKith(args: readonly string[], { env = {}, stdin = '' }: RunOptions = {}): Promise<Outcome> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const said = Promise.all([text(stdout), text(stderr)]);
  const code = await built.runCommandLine(args, {
    env,
    stdin: Readable.from([Buffer.from(stdin)]),
    stdout,
    stderr,
    now: Date.now,
    heedSignals: () => {
      throw new Error(`${args.join(' ')} runs until it is asked to end: it needs a process of its own`);
    },
  });
  stdout.end();
  stderr.end();
  const [out, err] = await said;
  return { code, stdout: out, stderr: err };
}
