import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { loadDemo } from '../../src/demo/load-demo.ts';
import { continueFrom } from '../../src/indexer/cursor.ts';
import { deployments } from '../../src/protocol/deployments.ts';
import { readState } from '../../src/store/state.ts';
import type { Store } from '../../src/store/store.ts';
import { useOwnDatabase } from '../store/own-database.ts';
import { dump } from '../support/dump.ts';
import { type Engine, engines, type TestDatabase } from '../support/engines.ts';
import { serveFile } from '../support/file-server.ts';
import { loadLogs, loadRanks } from '../support/load.ts';
import { useHeldLock } from './held-lock.ts';
import { LOGS, linesOf, PROFILES } from './import-files.ts';
import { followKithHere, runKith } from './run-here.ts';
import { failureIn, LISTENING, type RunOptions } from './run-kith.ts';

const DEMO = { accounts: 50, seed: 3, now: 1_790_000_000 };

/** What a database holds. */
interface Contents {
  readonly logs: 'none' | 'real' | 'demo' | 'demo of start';
  readonly profiles: 'none' | 'imported' | 'generated';
  readonly isIndexed: boolean;
}
const EMPTY: Contents = { logs: 'none', profiles: 'none', isIndexed: false };

/** What a database holds after a command, or the code of the error that leaves it as it is. */
type Effect = (before: Contents) => Contents | string;

interface Writer {
  run(snapshotUrl: string): { readonly args: readonly string[] } & RunOptions;
  readonly effect: Effect;
}

const isFilled = (contents: Contents) => JSON.stringify(contents) !== JSON.stringify(EMPTY);
const isDemo = ({ logs }: Contents) => logs.startsWith('demo');
const withSnapshot = (before: Contents): Contents => ({ ...before, logs: 'real', isIndexed: true });

const WRITERS: Readonly<Record<string, Writer>> = {
  demo: {
    run: () => ({ args: ['demo', ...Object.entries(DEMO).flatMap(([name, value]) => [`--${name}`, `${value}`])] }),
    effect(before) {
      if (isFilled(before) && before.logs !== 'demo') return 'E_DEMO_DATABASE';
      return { logs: 'demo', profiles: 'generated', isIndexed: false };
    },
  },
  start: {
    run: () => ({ args: ['start'] }),
    effect: (before) =>
      isFilled(before) ? before : { logs: 'demo of start', profiles: 'generated', isIndexed: false },
  },
  'import logs': {
    run: () => ({ args: ['import', 'logs', '-'], stdin: linesOf(LOGS) }),
    effect: (before) => (isDemo(before) ? 'E_DEMO_DATABASE' : { ...before, logs: 'real' }),
  },
  'import profiles': {
    run: () => ({ args: ['import', 'profiles', '-'], stdin: linesOf(PROFILES) }),
    effect: (before) => (isDemo(before) ? 'E_DEMO_DATABASE' : { ...before, profiles: 'imported' }),
  },
  bootstrap: {
    run: (url) => ({ args: ['bootstrap', url] }),
    effect: (before) => (before.logs === 'none' ? withSnapshot(before) : 'E_USAGE'),
  },
  'start with a snapshot': {
    run: (url) => ({ args: ['start'], env: { SNAPSHOT_URL: url } }),
    effect(before) {
      if (isDemo(before)) return 'E_DEMO_DATABASE';
      return before.logs === 'none' ? withSnapshot(before) : before;
    },
  },
  rebuild: { run: () => ({ args: ['rebuild'] }), effect: (before) => before },
};

const NAMES = Object.keys(WRITERS);
/** Generating the demo graph of `start` takes a second, so it comes first in few pairs. */
const AFTER_START = ['start', 'import logs'];
const PAIRS = NAMES.flatMap((first) => NAMES.map((second): [string, string] => [first, second])).filter(
  ([first, second]) => first !== 'start' || AFTER_START.includes(second),
);

describe.each(engines)('two commands that write at once on $name', (engine) => {
  const own = useOwnDatabase(engine);
  const startTogether = useHeldLock(engine.name);
  let snapshot: Uint8Array;
  let dumps: Partial<Record<Contents['logs'], unknown>>;
  beforeAll(async () => {
    const real = await makeSnapshot(engine);
    snapshot = real.file;
    dumps = { real: real.rows, demo: await dumpOf(engine, (store) => loadDemo(store, DEMO, () => undefined)) };
  });

  it.each(PAIRS)('%s and %s end as one after the other', async (...names) => {
    const store = await own.open();
    const { url } = await serveFile(snapshot);
    const starts = names.map((name) => () => start(own.database, name, url));
    const running = await startTogether(own.database, store, starts);
    const [first = '', second = ''] = await Promise.all(running.map((command) => command.result()));
    const [a, b] = names.map((name) => WRITERS[name]?.effect ?? expect.fail(name));
    const found = await readContents(store);
    const inOrder = [outcomeOf(a, b), outcomeOf(b, a, true)];
    // A snapshot is loaded under the lock of the indexer, which a command does not wait for.
    const refused = [
      { first: 'E_INDEXER_RUNNING', second: 'ok', contents: resultOf(b, EMPTY).contents },
      { first: 'ok', second: 'E_INDEXER_RUNNING', contents: resultOf(a, EMPTY).contents },
    ].filter(() => names.every((name) => SNAPSHOTS.includes(name)) && names.includes('bootstrap'));
    expect([...inOrder, ...refused]).toContainEqual({ first, second, contents: found.contents });
    const expected = dumps[found.contents.logs];
    if (expected !== undefined) expect(found.rows).toEqual(expected);
    expect(found.unfolded).toBe(0);
  });
});

const SNAPSHOTS = ['bootstrap', 'start with a snapshot'];

function resultOf(effect: Effect | undefined, before: Contents) {
  const after = effect?.(before) ?? before;
  return typeof after === 'string' ? { said: after, contents: before } : { said: 'ok', contents: after };
}

/** The outcome of one command after the other. */
function outcomeOf(a: Effect | undefined, b: Effect | undefined, isSwapped = false) {
  const one = resultOf(a, EMPTY);
  const two = resultOf(b, one.contents);
  const [first, second] = isSwapped ? [two.said, one.said] : [one.said, two.said];
  return { first, second, contents: two.contents };
}

function start(database: TestDatabase, name: string, snapshotUrl: string) {
  const { args, env, ...options } = WRITERS[name]?.run(snapshotUrl) ?? expect.fail(name);
  const running = followKithHere(args, { ...options, env: { DATABASE_URL: database.url, ...env } });
  let hasEnded = false;
  const outcome = running.outcome.finally(() => {
    hasEnded = true;
  });
  onTestFinished(async () => {
    running.end();
    await outcome;
  });
  return {
    isBlocked: () => hasEnded || /waiting for another process/.test(running.stderr()),
    /** `ok`, or the code of its error. A server is stopped when it listens. */
    async result(): Promise<string> {
      if (args[0] === 'start') await running.untilSaid(LISTENING).catch(() => undefined);
      running.end();
      const { code, stderr } = await outcome;
      return code === 0 ? 'ok' : (/\[(E_\w+)\]$/.exec(failureIn(stderr))?.[1] ?? stderr);
    },
  };
}

async function readContents(store: Store) {
  const rows = await dump(store);
  const { numberOf, profiles, cursors } = await store.transaction(async (tx) => ({
    numberOf: await readState(tx),
    profiles: (await tx.query((db) => db.selectFrom('profiles').select('address'))).length,
    cursors: (await tx.query((db) => db.selectFrom('cursors').select('chain_id'))).length,
  }));
  expect(numberOf('logs')).toBe(rows.logs?.length);
  const demo = numberOf('demo_accounts') === DEMO.accounts ? 'demo' : 'demo of start';
  const real = rows.logs?.length === 0 ? 'none' : 'real';
  const contents: Contents = {
    logs: numberOf('is_demo') === 1 ? demo : real,
    profiles: profiles === 0 ? 'none' : numberOf('is_demo') === 1 ? 'generated' : 'imported',
    isIndexed: cursors > 0,
  };
  return { contents, rows, unfolded: numberOf('unfolded_logs') };
}

async function dumpOf(engine: Engine, load: (store: Store) => Promise<unknown>) {
  const database = await engine.createOwn();
  const store = await database.open();
  await load(store);
  const rows = await dump(store);
  await store.close();
  await database.drop();
  return rows;
}

/** A snapshot of the logs that are imported as well. */
async function makeSnapshot(engine: Engine) {
  const database = await engine.createOwn();
  const store = await database.open();
  await loadLogs(store, LOGS);
  await store.transaction(async (tx) => {
    for (const { chain_id, block_number: number, block_hash: hash, block_time: time } of await tx.query((db) =>
      db.selectFrom('chains').selectAll(),
    ))
      await continueFrom(tx, deployments.mainnet, {
        ...{ chainId: chain_id, number, hash, time, startBlock: 0 },
        final: { number, hash },
      });
  });
  await loadRanks(store, 1);
  const rows = await dump(store);
  await store.close();
  const { stdout } = await runKith(['export', 'logs'], { env: { DATABASE_URL: database.url } });
  await database.drop();
  return { file: Buffer.from(stdout), rows };
}
