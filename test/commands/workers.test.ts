import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { useOwnDatabase } from '../store/own-database.ts';
import { anyEngine, type TestDatabase } from '../support/engines.ts';
import { freePort } from '../support/free-port.ts';
import { loadTinyDemo } from '../support/load.ts';
import { fetchAnswer } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { type RunningKith, spawnKith, startKith, startSharedKith } from './run-kith.ts';

const LISTENING = /"pid":(\d+)[^\n]*Server listening/g;
const search = (url: string) => fetchAnswer(`${url}/api/v1/leaderboard/search?limit=1`);

/** The ids of the processes that listen, once there are as many. */
async function untilListening(kith: RunningKith, count: number): Promise<number[]> {
  const find = () => [...kith.stderr().matchAll(LISTENING)].map(([, pid]) => Number(pid));
  await waitFor(() => expect(find()).toHaveLength(count));
  return find();
}

describe.each(anyEngine)('two workers of kith start on $name', (engine) => {
  let database: TestDatabase;
  let operations: string;
  let kith: RunningKith;
  beforeAll(async () => {
    database = await engine.createLoaded(loadTinyDemo);
    const port = await freePort();
    operations = `http://127.0.0.1:${port}`;
    kith = await startSharedKith('start', { DATABASE_URL: database.url, WORKERS: '2', OPERATIONS_PORT: `${port}` });
    await untilListening(kith, 2);
  });
  afterAll(async () => {
    await kith?.end();
    await database.drop();
  });

  it('print the URL once', async () => {
    await kith.untilSaid(/Kith listens on/);
    expect(kith.stdout().match(/Kith listens on/g)).toHaveLength(1);
  });

  it('serve probes on the operations port, which is not the printed one', async () => {
    expect(kith.url).not.toBe(operations);
    for (const url of [kith.url, operations]) {
      expect(await fetchAnswer(`${url}/health`)).toMatchObject({ status: 200, json: { status: 'alive' } });
    }
  });

  it('sum their request metrics, and report the database and the build once', async () => {
    const metrics = async () => (await fetchAnswer(`${operations}/metrics`)).text;
    const requests = (text: string) =>
      [...text.matchAll(/^kith_http_requests_total\{[^}]*\} (\d+)$/gm)].reduce((sum, [, n]) => sum + Number(n), 0);
    const before = requests(await metrics());
    // The cluster distributes connections round-robin.
    for (let i = 0; i < 6; i++)
      await fetch(`${kith.url}/api/v1/leaderboard/search`, { headers: { connection: 'close' } });
    const text = await metrics();
    expect(requests(text) - before).toBe(6);
    expect(text).toMatch(/^kith_rows\{of="ranked"\} 60$/m);
    expect(text).toMatch(/^kith_build_info\{[^}]*\} 1$/m);
    expect(text).toMatch(/^kith_process_start_time_seconds \d+$/m);
  });
});

describe.each(anyEngine)('kith serve with two workers on $name', (engine) => {
  const own = useOwnDatabase({ create: () => engine.createLoaded(loadTinyDemo) });

  async function serve(env: Record<string, string> = {}) {
    const kith = await startKith('serve', { DATABASE_URL: own.database.url, WORKERS: '2', ...env });
    return { kith, pids: (count: number) => untilListening(kith, count) };
  }

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
    const { kith, pids } = await serve({ SHUTDOWN_DELAY_S: '2' });
    for (const pid of await pids(2)) process.kill(pid, 'SIGTERM');
    const { code, stderr } = await kith.end();
    expect(code, stderr).toBe(0);
    expect(stderr.match(/about to shut down/g)).toHaveLength(2);
    expect(stderr.match(/shutting down, draining requests/g)).toHaveLength(2);
  });

  it('does not wait for SHUTDOWN_DELAY_S when the parent process gets SIGINT', async () => {
    const { kith, pids } = await serve({ SHUTDOWN_DELAY_S: '300' });
    await pids(2);
    kith.signal('SIGINT');
    const { code, stderr } = await kith.ended();
    expect(code, stderr).toBe(0);
    expect(stderr).not.toContain('about to shut down');
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
