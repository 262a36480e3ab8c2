import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { useOwnDatabase } from '../store/own-database.ts';
import { sqlite } from '../support/engines.ts';
import { freePort } from '../support/free-port.ts';
import { loadTinyDemo } from '../support/load.ts';
import { fetchAnswer } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { failureIn, KITH } from './run-kith.ts';

type Outputs = readonly ['ignore', 'pipe' | 'full', 'pipe' | 'full'];

/** Every write to /dev/full fails as on a full disk. */
describe.skipIf(process.platform !== 'linux')('an output that cannot be written', () => {
  const own = useOwnDatabase({ create: () => sqlite.createLoaded(loadTinyDemo) });

  /** Starts a process whose temporary files are in a folder of its own. */
  const start = async (args: readonly string[], outputs: Outputs, env: Record<string, string> = {}) => {
    const folder = await mkdtemp(join(tmpdir(), 'kith-outputs-'));
    const full = openSync('/dev/full', 'w');
    const stdio = outputs.map((output) => (output === 'full' ? full : output));
    const child = spawn(process.execPath, [KITH, ...args], {
      stdio,
      env: { DATABASE_URL: own.database.url, TMPDIR: folder, ...env },
    });
    closeSync(full);
    let stderr = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    const exit = once(child, 'close').then(([code, signal]: (number | string | null)[]) => ({ code, signal, stderr }));
    onTestFinished(async () => {
      child.kill('SIGKILL');
      await exit;
      await rm(folder, { recursive: true });
    });
    return { child, exit, temporary: () => readdir(folder) };
  };

  it('does not end a server, whose log is lost', async () => {
    const port = await freePort();
    const { child, exit } = await start(['serve'], ['ignore', 'full', 'full'], { PORT: `${port}` });
    const { status } = await waitFor(() => fetchAnswer(`http://127.0.0.1:${port}/health`));
    expect(status).toBe(200);
    child.kill('SIGINT');
    expect(await exit).toMatchObject({ code: 0, signal: null });
  });

  it.each([['status'], ['export', 'logs']])('ends kith %s with E_OUTPUT and leaves no file', async (...args) => {
    const { exit, temporary } = await start(args, ['ignore', 'full', 'pipe']);
    const { code, stderr } = await exit;
    expect(code).toBe(1);
    expect(failureIn(stderr)).toMatch(/^standard output: ENOSPC.* \[E_OUTPUT\]$/);
    expect(await temporary()).toEqual([]);
  });

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL'] as const)(
    'leaves no file if %s ends an export',
    async (signal) => {
      const { child, exit, temporary } = await start(['export', 'logs'], ['ignore', 'pipe', 'pipe']);
      // The rest waits for a reader.
      await once(child.stdout ?? expect.fail('no output'), 'readable');
      child.kill(signal);
      child.stdout?.destroy();
      expect(await exit).toMatchObject({ code: null, signal });
      expect(await temporary()).toEqual([]);
    },
  );
});
