import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import pg from 'pg';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { loadDemo } from '../../src/demo/load-demo.ts';
import { queryFromOutside } from '../store/from-outside.ts';
import { look, useOwnDatabase } from '../store/own-database.ts';
import { anyEngine, engines } from '../support/engines.ts';
import { linesOf, PROFILES } from './import-files.ts';
import { followKith, type RunningKith, startKith } from './run-kith.ts';

const ENDING = /requests under way are finished first/;
const DEMO = { accounts: 60, seed: 3, now: 1_790_000_000 };
/** Far below the minute and more for which idle connections are kept, far above what ending takes. */
const SOON_MS = 15_000;
const PATIENCE = { timeout: 30_000 };

describe.each(anyEngine)('kith serve that is told to end, on $name', (engine) => {
  const own = useOwnDatabase(engine);
  const serve = async () => {
    await look(own.database, (store) => loadDemo(store, DEMO, () => undefined));
    return startKith('serve', { DATABASE_URL: own.database.url });
  };

  it.each(['SIGTERM', 'SIGINT'] as const)('says so and exits 0 on %s', async (signal) => {
    const kith = await serve();
    kith.signal(signal);
    const { code, stderr } = await kith.ended();
    expect(code, stderr).toBe(0);
    expect(stderr).toMatch(ENDING);
  });

  it('does not wait for a connection that was used and is kept for later', async () => {
    const kith = await serve();
    const answer = await ask(`${kith.url}/api/v1/leaderboard/search`, keptAlive());
    expect(await textOf(answer)).not.toBe('');
    kith.signal('SIGTERM');
    await expectToEndSoon(kith);
  });

  it('does not wait for a connection on which nothing was ever asked', async () => {
    const kith = await serve();
    const silent = connect(Number(new URL(kith.url).port), '127.0.0.1');
    onTestFinished(() => {
      silent.destroy();
    });
    await vi.waitFor(() => expect(silent.readyState).toBe('open'), PATIENCE);
    kith.signal('SIGTERM');
    await expectToEndSoon(kith);
  });

  it('sends a client that reads slowly all of its answer', async () => {
    const kith = await serve();
    const answer = await ask(`${kith.url}/api/v1/leaderboard/search?limit=1000`, new Agent());
    // Nobody reads the body yet.
    kith.signal('SIGTERM');
    await kith.untilSaid(ENDING);
    const text = await textOf(answer);
    expect(Buffer.byteLength(text)).toBe(Number(answer.headers['content-length']));
    await expectToEndSoon(kith);
  });
});

describe.each(engines)('kith import that is told to end, on $name', (engine) => {
  const own = useOwnDatabase(engine);

  it.each(['SIGTERM', 'SIGINT'] as const)('ends on %s and keeps nothing of the file', async (signal) => {
    const { child, outcome } = followKith(['import', 'profiles', '-'], { DATABASE_URL: own.database.url });
    child.stdin.write(linesOf(PROFILES));
    // The file never ends. Once there are tables the command is at it.
    await vi.waitFor(() => queryFromOutside(own.database, 'select 1 from profiles'), PATIENCE);
    child.kill(signal);
    const ended = await soon(outcome);
    expect(ended).not.toBe('still running');
    expect(ended).not.toMatchObject({ code: 0 });
    expect(await queryFromOutside(own.database, 'select 1 from profiles')).toEqual([]);
  });
});

// SQLite answers in the turn in which it is asked: only a server can be made to keep a request waiting.
describe.each(engines.filter(({ name }) => name === 'postgres'))(
  'kith serve with a request under way, on $name',
  (engine) => {
    const own = useOwnDatabase(engine);

    /** Asks, tells the process to end before it can answer, and lets it answer then. */
    const askAndEnd = async (agent: Agent) => {
      await look(own.database, (store) => loadDemo(store, DEMO, () => undefined));
      const kith = await startKith('serve', { DATABASE_URL: own.database.url });
      const unlock = await lockLeaderboard(own.database.url);
      const asked = ask(`${kith.url}/api/v1/leaderboard/search`, agent);
      await vi.waitFor(async () => {
        const waiting = `select 1 from pg_locks where not granted and relation = 'leaderboard'::regclass`;
        expect(await queryFromOutside(own.database, waiting)).not.toEqual([]);
      });
      kith.signal('SIGTERM');
      await kith.untilSaid(ENDING);
      await unlock();
      return { kith, answer: await asked };
    };

    it('answers it before it ends', async () => {
      const { kith, answer } = await askAndEnd(new Agent());
      expect(answer.statusCode).toBe(200);
      expect(JSON.parse(await textOf(answer)).results).not.toEqual([]);
      expect((await kith.ended()).code).toBe(0);
    });

    it('does not wait after the answer for a client that keeps its connection', async () => {
      const { kith, answer } = await askAndEnd(keptAlive());
      await textOf(answer);
      await expectToEndSoon(kith);
    });
  },
);

async function expectToEndSoon(kith: RunningKith): Promise<void> {
  expect(await soon(kith.ended())).toMatchObject({ code: 0 });
}

function soon<T>(ended: Promise<T>): Promise<T | 'still running'> {
  const late = once(AbortSignal.timeout(SOON_MS), 'abort').then(() => 'still running' as const);
  return Promise.race([ended, late]);
}

/** A client that keeps its connections until the test ends. */
function keptAlive(): Agent {
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  return agent;
}

/** Tells of the answer when its head is there; the body waits to be read. */
async function ask(url: string, agent: Agent): Promise<IncomingMessage> {
  const [answer] = await once(get(url, { agent }), 'response');
  return answer as IncomingMessage;
}

async function textOf(answer: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of answer.setEncoding('utf8')) text += part;
  return text;
}

/** Keeps every reader of the leaderboard waiting until the returned function is called. */
async function lockLeaderboard(url: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('begin');
  await client.query('lock table leaderboard in access exclusive mode');
  return () => client.end();
}
