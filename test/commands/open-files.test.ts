import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { capConnections, readOpenFilesLimit } from '../../src/commands/listen.ts';
import { useOwnDatabase } from '../store/own-database.ts';
import { sqlite } from '../support/engines.ts';
import { fetchAnswer } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { collectOutput, KITH, LISTENING } from './run-kith.ts';

const onSqlite = { engine: 'sqlite', path: 'kith.db' } as const;

describe('capConnections', () => {
  it.each([
    [10_000, null, 10_000],
    [10_000, 65_536, 10_000],
    [10_000, 1_024, 864],
    [500, 1_024, 500],
    [10_000, 256, 128],
  ])('allows %d connections with a limit of %j files %d times', (configured, limit, expected) => {
    expect(capConnections({ limits: { maxConnections: configured }, database: onSqlite }, limit)).toBe(expected);
  });

  it('leaves files for the connections to PostgreSQL', () => {
    const database = { engine: 'postgres', url: 'postgres://', poolSize: 100 } as const;
    expect(capConnections({ limits: { maxConnections: 10_000 }, database }, 1_024)).toBe(764);
  });
});

describe.skipIf(process.platform === 'win32')('kith serve with few open files', () => {
  const own = useOwnDatabase(sqlite);

  it('knows its limit', () => {
    expect(readOpenFilesLimit()).toBeGreaterThan(100);
  });

  it.each(['1', '2'])('survives more connections than it may have, with WORKERS=%s', async (workers) => {
    const env = { DATABASE_URL: own.database.url, PORT: '0', SHUTDOWN_DELAY_S: '0', WORKERS: workers };
    const child = spawn('/bin/sh', ['-c', 'ulimit -n 256; exec "$0" "$@"', process.execPath, KITH, 'start'], { env });
    const ended = once(child, 'close').then(([code]) => code as number | null);
    onTestFinished(async () => {
      child.kill('SIGKILL');
      await ended;
    });
    const { untilSaid, stderr } = collectOutput(['start'], child, ended);
    const [, url = ''] = await untilSaid(LISTENING);
    expect(stderr()).toMatch(/"at most 128 connections per process, not the MAX_CONNECTIONS of 10000: .* is 256"/);
    const sockets: Socket[] = [];
    let closed = 0;
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
    });
    const open = () =>
      new Promise<void>((settled) => {
        const socket = connect(Number(new URL(url).port), '127.0.0.1', settled);
        socket
          .on('error', () => undefined)
          .on('close', () => {
            closed += 1;
            settled();
          });
        sockets.push(socket);
      });
    // In waves that the backlog of the port holds: beyond it, connections stay half-open and are never closed.
    for (let wave = 0; wave < 14; wave++) await Promise.all(Array.from({ length: 50 }, open));
    await waitFor(() => expect(closed).toBeGreaterThan(300));
    for (const socket of sockets) socket.destroy();
    await waitFor(async () => expect(await fetchAnswer(`${url}/status`)).toMatchObject({ status: 200 }));
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(stderr()).not.toMatch(/EMFILE|E_INTERNAL|worker exited/);
  });
});
