import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { PROJECT } from '../commands/run-kith.ts';
import type { Anvil } from './anvil.ts';
import type { RunningIndexer } from './harness.ts';

/** A process of its own, which can be killed. */
export interface KithProcess extends RunningIndexer {
  readonly pid: number;
  /** All that it has written so far. */
  said(): string;
  /** Waits until it has said something for the `times`-th time. */
  untilSaid(pattern: RegExp, times?: number): Promise<RegExpMatchArray>;
  /** Waits until it is gone, and tells its exit code: null when a signal ended it. */
  exit(): Promise<number | null>;
  /** SIGKILL, which nothing can prepare for. */
  kill(): Promise<void>;
}

/** The environment of a process that indexes these nodes. */
export function indexingEnv(
  databaseUrl: string,
  anvils: readonly Anvil[],
  urlOf: (anvil: Anvil) => string = ({ url }) => url,
): Record<string, string> {
  return {
    DATABASE_URL: databaseUrl,
    PORT: '0',
    POLL_INTERVAL_MS: '20',
    RANKS_INTERVAL_MS: '200',
    LOG_LEVEL: 'debug',
    ...Object.fromEntries(anvils.map((anvil) => [`RPC_URL_${anvil.chainId}`, urlOf(anvil)])),
    ...Object.fromEntries(anvils.map(({ chainId }) => [`START_BLOCK_${chainId}`, '0'])),
  };
}

/** Starts a built `kith`. It is gone when the test is. */
export function startProcess(command: 'index' | 'start', env: Readonly<Record<string, string>>): KithProcess {
  // A group of its own, so that whatever it has started can be ended with it.
  const options = { env, cwd: tmpdir(), detached: true };
  const child = spawn(process.execPath, [join(PROJECT, 'bin/kith.js'), command], options);
  const pid = child.pid ?? Number.NaN;
  const heard = new EventEmitter();
  const log: string[] = [];
  let asked = false;
  let gone = false;
  for (const output of [child.stdout, child.stderr]) {
    output.setEncoding('utf8').on('data', (text: string) => {
      log.push(text);
      heard.emit('something');
    });
  }
  const said = () => log.join('');
  const closed = once(child, 'close').then(([code]) => {
    gone = true;
    return code as number | null;
  });
  const ended = closed.then((code) => {
    if (!asked) throw new Error(`kith ${command} ended by itself with ${code}:\n${said()}`);
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
    said,
    async untilSaid(pattern, times = 1) {
      for (;;) {
        const found = [...said().matchAll(new RegExp(pattern, `${pattern.flags}g`))][times - 1];
        if (found !== undefined) return found;
        if (gone) throw new Error(`kith ${command} ended and never said ${pattern}:\n${said()}`);
        await Promise.race([once(heard, 'something'), closed]);
      }
    },
    exit: () => closed,
    async stop() {
      asked = true;
      child.kill('SIGTERM');
      await closed;
    },
    async kill() {
      asked = true;
      child.kill('SIGKILL');
      await closed;
    },
  };
}
