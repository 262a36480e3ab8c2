import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadLongList, requestUnread } from '../http/long-list.ts';
import { useOwnDatabase } from '../store/own-database.ts';
import { queryDatabase } from '../store/query-database.ts';
import { anyEngine, engines } from '../support/engines.ts';
import { loadTinyDemo } from '../support/load.ts';
import { fetchAnswer } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { linesOf, PROFILES } from './import-files.ts';
import { startKithHere } from './run-here.ts';
import { followKith, type RunningKith, startKith } from './run-kith.ts';

const SHUTTING_DOWN = /shutting down, draining requests/;
/** Far below the keep-alive timeout, far above the duration of a shutdown. */
const SOON_MS = 15_000;

describe.each(anyEngine)('shutdown of kith serve', (engine) => {
  const own = useOwnDatabase({ create: () => engine.createLoaded(loadTinyDemo) });
  const serve = () => startKith('serve', { DATABASE_URL: own.database.url });
  const serveHere = (env: Record<string, string> = {}) =>
    startKithHere(['serve'], { DATABASE_URL: own.database.url, ...env });

  it.each(['SIGTERM', 'SIGINT'] as const)('logs the shutdown and exits with 0 on %s', async (signal) => {
    const kith = await serve();
    kith.signal(signal);
    const { code, stderr } = await kith.ended();
    expect(code, stderr).toBe(0);
    expect(stderr).toMatch(SHUTTING_DOWN);
  });

  it('goes on serving for SHUTDOWN_DELAY_S after SIGTERM, while /ready is 503', async () => {
    const kith = await startKith('serve', { DATABASE_URL: own.database.url, SHUTDOWN_DELAY_S: '300' });
    expect((await fetchAnswer(`${kith.url}/ready`)).status).toBe(200);
    kith.signal('SIGTERM');
    await kith.untilSaid(/about to shut down/);
    expect(await fetchAnswer(`${kith.url}/ready`)).toMatchObject({
      status: 503,
      json: { detail: 'the process is shutting down' },
    });
    expect((await fetchAnswer(`${kith.url}/api/v1/leaderboard/search`)).status).toBe(200);
    expect(kith.stderr()).not.toMatch(SHUTTING_DOWN);
  });

  it('stops when SHUTDOWN_DELAY_S has passed after SIGTERM', async () => {
    const kith = await serveHere({ SHUTDOWN_DELAY_S: '1' });
    kith.signal('SIGTERM');
    const { code, stderr } = await kith.ended();
    expect(code, stderr).toBe(0);
    expect(stderr).toMatch(/about to shut down.*shutting down, draining requests/s);
  });

  it('does not wait for SHUTDOWN_DELAY_S on SIGINT', async () => {
    const kith = await serveHere({ SHUTDOWN_DELAY_S: '300' });
    kith.signal('SIGINT');
    await expectExit(kith);
  });

  it('closes idle keep-alive connections', async () => {
    const kith = await serve();
    const answer = await request(`${kith.url}/api/v1/leaderboard/search`, keepAliveAgent());
    expect(await textOf(answer)).not.toBe('');
    kith.signal('SIGTERM');
    await expectExit(kith);
  });

  it('closes connections that have sent no request', async () => {
    const kith = await serveHere();
    const silent = connect(Number(new URL(kith.url).port), '127.0.0.1');
    onTestFinished(() => {
      silent.destroy();
    });
    await waitFor(() => expect(silent.readyState).toBe('open'));
    kith.signal('SIGTERM');
    await expectExit(kith);
  });

  it('sends the whole response to a slow client', async () => {
    const kith = await serveHere();
    const answer = await request(`${kith.url}/api/v1/leaderboard/search?limit=1000`, new Agent());
    // The client has not read the body yet.
    kith.signal('SIGTERM');
    await kith.untilSaid(SHUTTING_DOWN);
    const text = await textOf(answer);
    expect(Buffer.byteLength(text)).toBe(Number(answer.headers['content-length']));
    await expectExit(kith);
  });
});

describe.each(anyEngine)('shutdown of kith serve beside a long response', (engine) => {
  const own = useOwnDatabase({ create: () => engine.createLoaded(loadLongList) });

  it('exits with 0 although a client does not read it', async () => {
    const kith = await startKithHere(['serve'], { DATABASE_URL: own.database.url });
    await requestUnread(kith.url);
    kith.signal('SIGTERM');
    const { code, stderr } = await kith.ended();
    expect(code, stderr).toBe(0);
    expect(stderr).not.toContain('E_INTERNAL');
  });
});

describe.each(engines)('shutdown of kith import on $name', (engine) => {
  const own = useOwnDatabase(engine);

  it.each(['SIGTERM', 'SIGINT'] as const)('exits on %s and rolls the import back', async (signal) => {
    const { child, outcome } = followKith(['import', 'profiles', '-'], { DATABASE_URL: own.database.url });
    child.stdin.write(linesOf(PROFILES));
    // Standard input stays open. Once the table exists, the import is running.
    await waitFor(() => queryDatabase(own.database, 'select 1 from profiles'));
    child.kill(signal);
    const ended = await withinDeadline(outcome);
    expect(ended).not.toBe('still running');
    expect(ended).not.toMatchObject({ code: 0 });
    expect(await queryDatabase(own.database, 'select 1 from profiles')).toEqual([]);
  });
});

// SQLite queries are synchronous: only a PostgreSQL lock can keep a request in progress.
describe.each(engines.filter(({ name }) => name === 'postgres'))(
  'shutdown of kith serve with a request in progress, on $name',
  (engine) => {
    const own = useOwnDatabase({ create: () => engine.createLoaded(loadTinyDemo) });

    /** Sends a request, then SIGTERM while its query waits for a lock, then releases the lock. */
    const requestAndStop = async (agent: Agent) => {
      const kith = await startKithHere(['serve'], { DATABASE_URL: own.database.url });
      const unlock = await lockLeaderboard(own.database.url);
      const response = request(`${kith.url}/api/v1/leaderboard/search`, agent);
      await waitFor(async () => {
        const waiting = `select 1 from pg_locks where not granted and relation = 'leaderboard'::regclass`;
        expect(await queryDatabase(own.database, waiting)).not.toEqual([]);
      });
      kith.signal('SIGTERM');
      await kith.untilSaid(SHUTTING_DOWN);
      await unlock();
      return { kith, answer: await response };
    };

    it('sends the response before it exits', async () => {
      const { kith, answer } = await requestAndStop(new Agent());
      expect(answer.statusCode).toBe(200);
      expect(JSON.parse(await textOf(answer)).results).not.toEqual([]);
      expect((await kith.ended()).code).toBe(0);
    });

    it('closes the keep-alive connection after the response', async () => {
      const { kith, answer } = await requestAndStop(keepAliveAgent());
      await textOf(answer);
      await expectExit(kith);
    });
  },
);

async function expectExit(kith: RunningKith): Promise<void> {
  expect(await withinDeadline(kith.ended())).toMatchObject({ code: 0 });
}

function withinDeadline<T>(ended: Promise<T>): Promise<T | 'still running'> {
  const late = once(AbortSignal.timeout(SOON_MS), 'abort').then(() => 'still running' as const);
  return Promise.race([ended, late]);
}

/** An HTTP client that keeps its connections open until the test ends. */
function keepAliveAgent(): Agent {
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  return agent;
}

/** Resolves when the headers have arrived; the body is not read yet. */
async function request(url: string, agent: Agent): Promise<IncomingMessage> {
  const [answer] = await once(get(url, { agent }), 'response');
  return answer as IncomingMessage;
}

async function textOf(answer: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of answer.setEncoding('utf8')) text += part;
  return text;
}

/** Blocks all reads of the leaderboard until the returned function is called. */
async function lockLeaderboard(url: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('begin');
  await client.query('lock table leaderboard in access exclusive mode');
  return () => client.end();
}
