import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { loadDemo } from '../../src/demo/load-demo.ts';
import { look, useOwnDatabase } from '../store/own-database.ts';
import { anyEngine } from '../support/engines.ts';
import { fetchAnswer } from '../support/service.ts';
import { spawnKith, startKith } from './run-kith.ts';

const DEMO = { accounts: 60, seed: 3, now: 1_790_000_000 };
const WAIT = { timeout: 40_000 };
const LISTENING = /"pid":(\d+)[^\n]*Server listening/g;

describe.each(anyEngine)('kith with two serving processes, on $name', (engine) => {
  const own = useOwnDatabase({ create: engine.createOwn });

  async function serve(command: 'serve' | 'start' = 'serve') {
    await look(own.database, (store) => loadDemo(store, DEMO, () => undefined));
    let stderr = '';
    const kith = await startKith(command, { DATABASE_URL: own.database.url, WORKERS: '2' });
    const pids = async (count: number) => {
      await vi.waitFor(() => {
        stderr = kith.stderr();
        expect([...stderr.matchAll(LISTENING)]).toHaveLength(count);
      }, WAIT);
      return [...stderr.matchAll(LISTENING)].map(([, pid]) => Number(pid));
    };
    return { kith, pids };
  }
  const search = (url: string) => fetchAnswer(`${url}/api/v1/leaderboard/search?limit=1`);

  it('answers from two processes on one port, and ends both with 0', async () => {
    const { kith, pids } = await serve();
    const [one, other] = await pids(2);
    expect(one).not.toBe(other);
    expect((await search(kith.url)).status).toBe(200);
    const { code, stderr } = await kith.end();
    expect(code, stderr).toBe(0);
    for (const pid of [one, other]) expect(() => process.kill(pid ?? 0, 0)).toThrow('ESRCH');
  });

  it('invites once', async () => {
    const { kith, pids } = await serve('start');
    await pids(2);
    expect(kith.stdout().match(/Kith listens on/g)).toHaveLength(1);
    expect((await kith.end()).code).toBe(0);
  });

  it('goes on when one of them is killed, and replaces it', async () => {
    const { kith, pids } = await serve();
    const [one] = await pids(2);
    process.kill(one ?? 0, 'SIGKILL');
    await kith.untilSaid(/a serving process ended; the others go on/);
    expect((await search(kith.url)).status).toBe(200);
    await pids(3);
    expect((await kith.end()).code).toBe(0);
  });

  it('counts what both have answered, and tells the numbers of the database once', async () => {
    const { kith, pids } = await serve();
    await pids(2);
    // Connections are dealt out in turn.
    for (let i = 0; i < 6; i++)
      await fetch(`${kith.url}/api/v1/leaderboard/search`, { headers: { connection: 'close' } });
    const { text } = await fetchAnswer(`${kith.url}/metrics`);
    const counted = [...text.matchAll(/^kith_http_requests_total\{[^}]*\} (\d+)$/gm)];
    expect(counted.reduce((sum, [, count]) => sum + Number(count), 0)).toBe(6);
    expect(text).toContain(`kith_rows{of="accounts"} ${DEMO.accounts}`);
  });

  it('ends with 1 when the port is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void taken.close());
    await once(taken, 'listening');
    const PORT = String((taken.address() as AddressInfo).port);
    const { code, stderr } = await spawnKith(['serve'], {
      env: { DATABASE_URL: own.database.url, WORKERS: '2', PORT },
    });
    expect(code, stderr).toBe(1);
    expect(stderr).toContain('EADDRINUSE');
  });
});
