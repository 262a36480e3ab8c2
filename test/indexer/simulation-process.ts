import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { PROJECT } from '../commands/run-kith.ts';
import type { EvmNode } from './evm-node.ts';
import type { RunningIndexer } from './harness.ts';

/** A kith process that can be killed. */
export interface KithProcess extends RunningIndexer {
  readonly pid: number;
  /** Its output so far. */
  output(): string;
  /** Waits until the output matches for the `times`-th time. */
  untilSaid(pattern: RegExp, times?: number): Promise<RegExpMatchArray>;
  /** Waits for the exit code. Null if a signal ended the process. */
  exit(): Promise<number | null>;
  /** Sends SIGKILL. */
  kill(): Promise<void>;
}

/** The environment of a process that indexes from these nodes. */
export function indexingEnv(
  databaseUrl: string,
  nodes: readonly EvmNode[],
  urlOf: (node: EvmNode) => string = ({ url }) => url,
): Record<string, string> {
  return {
    DATABASE_URL: databaseUrl,
    PORT: '0',
    SHUTDOWN_DELAY_S: '0',
    POLL_INTERVAL_MS: '20',
    RANKS_INTERVAL_MS: '200',
    LOG_LEVEL: 'debug',
    ...Object.fromEntries(nodes.map((node) => [`RPC_URL_${node.chainId}`, urlOf(node)])),
    ...Object.fromEntries(nodes.map(({ chainId }) => [`START_BLOCK_${chainId}`, '0'])),
    // The chains of tests are short.
    ...Object.fromEntries(nodes.map(({ chainId }) => [`FINALITY_DEPTH_${chainId}`, '0'])),
  };
}

/** Starts the built `kith`. It is killed when the test ends. */
export function startProcess(command: 'index' | 'start', env: Readonly<Record<string, string>>): KithProcess {
  // Its own process group, so that its child processes can be killed too.
  const options = { env, cwd: tmpdir(), detached: true };
  const child = spawn(process.execPath, [join(PROJECT, 'bin/kith.js'), command], options);
  const pid = child.pid ?? Number.NaN;
  const outputEvents = new EventEmitter();
  const log: string[] = [];
  let isStopping = false;
  let hasExited = false;
  for (const output of [child.stdout, child.stderr]) {
    output.setEncoding('utf8').on('data', (text: string) => {
      log.push(text);
      outputEvents.emit('data');
    });
  }
  const output = () => log.join('');
  const closed = once(child, 'close').then(([code]) => {
    hasExited = true;
    return code as number | null;
  });
  const ended = closed.then((code) => {
    if (!isStopping) throw new Error(`kith ${command} exited unexpectedly with ${code}:\n${output()}`);
  });
  ended.catch(() => undefined);
  onTestFinished(async () => {
    try {
      process.kill(-pid, 'SIGKILL');
    } catch (error) {
      if ((error as { code?: string }).code !== 'ESRCH') throw error;
    }
    await closed;
  });
  return {
    pid,
    log,
    ended,
    output,
    async untilSaid(pattern, times = 1) {
      for (;;) {
        const found = [...output().matchAll(new RegExp(pattern, `${pattern.flags}g`))][times - 1];
        if (found !== undefined) return found;
        if (hasExited) throw new Error(`kith ${command} exited without printing ${pattern}:\n${output()}`);
        await Promise.race([once(outputEvents, 'data'), closed]);
      }
    },
    exit: () => closed,
    async stop() {
      isStopping = true;
      child.kill('SIGTERM');
      await closed;
    },
    async kill() {
      isStopping = true;
      child.kill('SIGKILL');
      await closed;
    },
  };
}
