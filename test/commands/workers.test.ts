import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadDemo } from '../../src/demo/load-demo.ts';
import { useOwnDatabase, withStore } from '../store/own-database.ts';
import { anyEngine } from '../support/engines.ts';
import { freePort } from '../support/free-port.ts';
import { fetchAnswer } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { spawnKith, startKith } from './run-kith.ts';

const DEMO = { accounts: 60, seed: 3, now: 1_790_000_000 };
const LISTENING = /"pid":(\d+)[^\n]*Server listening/g;

describe.each(anyEngine)('kith serve with two workers on $name', (engine) => {
  const own = useOwnDatabase({ create: engine.createOwn });

  async function serve(command: 'serve' | 'start' = 'serve', env: Record<string, string> = {}) {
    await withStore(own.database, (store) => loadDemo(store, DEMO, () => undefined));
    let stderr = '';
    const kith = await startKith(command, { DATABASE_URL: own.database.url, WORKERS: '2', ...env });
    const pids = async (count: number) => {
      await waitFor(() => {
        stderr = kith.stderr();
        expect([...stderr.matchAll(LISTENING)]).toHaveLength(count);
      });
      return [...stderr.matchAll(LISTENING)].map(([, pid]) => Number(pid));
    };
    return { kith, pids };
  }
  const search = (url: string) => fetchAnswer(`${url}/api/v1/leaderboard/search?limit=1`);

  it('serves one port from two processes and stops both with exit code 0', async () => {
    const { kith, pids } = await serve();
    const [one, other] = await pids(2);
    expect(one).not.toBe(other);
    expect((await search(kith.url)).status).toBe(200);
    const { code, stderr } = await kith.end();
    expect(code, stderr).toBe(0);
    for (const pid of [one, other]) expect(() => process.kill(pid ?? 0, 0)).toThrow('ESRCH');
  });

  it('shuts down in order when a process manager sends SIGTERM to the workers as well', async () => {
    const { kith, pids } = await serve('serve', { SHUTDOWN_DELAY_S: '2' });
    for (const pid of await pids(2)) process.kill(pid, 'SIGTERM');
    const { code, stderr } = await kith.end();
    expect(code, stderr).toBe(0);
    expect(stderr.match(/about to shut down/g)).toHaveLength(2);
    expect(stderr.match(/shutting down, draining requests/g)).toHaveLength(2);
  });

  it('does not wait for SHUTDOWN_DELAY_S when the parent process gets SIGINT', async () => {
    const { kith, pids } = await serve('serve', { SHUTDOWN_DELAY_S: '300' });
    await pids(2);
    kith.signal('SIGINT');
    const { code, stderr } = await kith.ended();
    expect(code, stderr).toBe(0);
    expect(stderr).not.toContain('about to shut down');
  });

  it('prints its URL once', async () => {
    const { kith, pids } = await serve('start');
    await pids(2);
    expect(kith.stdout().match(/Kith listens on/g)).toHaveLength(1);
    expect((await kith.end()).code).toBe(0);
  });

  it('serves probes on the operations port, and prints the URL of the other port', async () => {
    const port = await freePort();
    const { kith, pids } = await serve('start', { OPERATIONS_PORT: `${port}` });
    await pids(2);
    expect(new URL(kith.url).port).not.toBe(`${port}`);
    for (const url of [kith.url, `http://127.0.0.1:${port}`]) {
      expect(await fetchAnswer(`${url}/health`)).toMatchObject({ status: 200, json: { status: 'alive' } });
    }
    expect((await kith.end()).code).toBe(0);
  });

  it('keeps serving when a worker is killed, and restarts it', async () => {
    const { kith, pids } = await serve();
    const [one] = await pids(2);
    process.kill(one ?? 0, 'SIGKILL');
    const [line] = await kith.untilSaid(/\{[^\n]*worker exited, restarting it[^\n]*/);
    expect(JSON.parse(line)).toMatchObject({ child: one, reason: 'killed by SIGKILL', signal: 'SIGKILL' });
    expect((await search(kith.url)).status).toBe(200);
    await pids(3);
    expect((await kith.end()).code).toBe(0);
  });

  it('loses no request of keep-alive connections while a worker is restarted', async () => {
    const { kith, pids } = await serve();
    const [one] = await pids(2);
    // One connection to each worker.
    const agents = [new Agent({ keepAlive: true, maxSockets: 1 }), new Agent({ keepAlive: true, maxSockets: 1 })];
    onTestFinished(() => {
      for (const agent of agents) agent.destroy();
    });
    for (const agent of agents) expect(await connectionOf(kith.url, agent)).toBe('keep-alive');
    process.kill(one ?? 0, 'SIGTERM');
    await kith.untilSaid(new RegExp(`"pid":${one}[^\\n]*shutting down, draining requests`));
    await Promise.all(agents.map((agent) => connectionOf(kith.url, agent)));
    await pids(3);
    // One of the agents opens a new connection.
    for (const agent of agents) expect(await connectionOf(kith.url, agent)).toBe('keep-alive');
  });

  it('sums the request metrics of both workers and reports the database and the build once', async () => {
    const { kith, pids } = await serve();
    await pids(2);
    // The cluster distributes connections round-robin.
    for (let i = 0; i < 6; i++)
      await fetch(`${kith.url}/api/v1/leaderboard/search`, { headers: { connection: 'close' } });
    const { text } = await fetchAnswer(`${kith.url}/metrics`);
    const counted = [...text.matchAll(/^kith_http_requests_total\{[^}]*\} (\d+)$/gm)];
    expect(counted.reduce((sum, [, count]) => sum + Number(count), 0)).toBe(6);
    expect(text).toContain(`kith_rows{of="ranked"} ${DEMO.accounts}`);
    expect(text).toMatch(/^kith_build_info\{[^}]*\} 1$/m);
    expect(text).toMatch(/^kith_process_start_time_seconds \d+$/m);
  });

  it('exits with 1 and one line if the port is in use', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void taken.close());
    await once(taken, 'listening');
    const PORT = String((taken.address() as AddressInfo).port);
    const { code, stderr } = await spawnKith(['serve'], {
      env: { DATABASE_URL: own.database.url, WORKERS: '2', PORT },
    });
    expect(code, stderr).toBe(1);
    const lines = stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.filter(({ level }) => level > 30)).toMatchObject([
      { level: 60, code: 'E_PORT_IN_USE', msg: expect.stringMatching(/^HOST, PORT: .*EADDRINUSE/) },
    ]);
  });
});

/** Requests a page and returns the Connection header of the response. */
async function connectionOf(url: string, agent: Agent): Promise<string | undefined> {
  const [answer] = (await once(get(`${url}/api/v1/leaderboard/search?limit=1`, { agent }), 'response')) as [
    IncomingMessage,
  ];
  expect(answer.statusCode).toBe(200);
  answer.resume();
  await once(answer, 'end');
  return answer.headers.connection;
}
