import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { type EvmNode, startNode } from '../indexer/evm-node.ts';
import { addressesOn, indexOnce } from '../indexer/harness.ts';
import { expectCleanReplay, randomBlock, rankedDump, readCursor } from '../indexer/reorg-support.ts';
import { createRandom } from '../model/random.ts';
import { annsList, logsOf } from '../model/small-history.ts';
import { allRows, useOwnDatabase, withStore } from '../store/own-database.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { serveFile } from '../support/file-server.ts';
import { loadLogs } from '../support/load.ts';
import { newPath } from '../support/new-path.ts';
import { fetchAnswer } from '../support/service.ts';
import { importInput, LOGS, linesOf, writeTemporary } from './import-files.ts';
import { runKith, startKithHere } from './run-here.ts';
import { failureIn } from './run-kith.ts';

const CHAIN = 8453;

describe.each(engines)('kith bootstrap on $name (seed 82)', (engine) => {
  const random = createRandom(82);
  let node: EvmNode;
  const own = useOwnDatabase(engine);
  const mine = async (blocks: number) => {
    for (let i = 0; i < blocks; i++) await node.mine(randomBlock(random, CHAIN));
  };

  beforeAll(async () => {
    node = await startNode(CHAIN, { epoch: 2 });
    await node.install(addressesOn(CHAIN));
    await mine(20);
  });
  afterAll(() => node.stop());

  /** A snapshot of all that the node has; its last four blocks are not final. */
  const takeSnapshot = async () => {
    const source = await own.another();
    await withStore(source, (store) => indexOnce(store, [node]));
    const file = await newPath('logs.ndjson.gz');
    expect(await runKith(['export', 'logs', file], { env: { DATABASE_URL: source.url } })).toMatchObject({ code: 0 });
    return { file, rows: await withStore(source, rankedDump), last: await lastLog(source) };
  };
  const bootstrap = ({ url }: TestDatabase, source: string, env: Record<string, string> = {}) =>
    runKith(['bootstrap', source], { env: { DATABASE_URL: url, ...env } });
  /** The block of the last stored log: others of the node are of no interest. */
  const lastLog = (database: TestDatabase) =>
    withStore(database, async (store) => {
      const [last] = await store.transaction((tx) => tx.readBy('chains', 'chain_id', [CHAIN]));
      return { number: last?.block_number, hash: last?.block_hash };
    });
  const nodeUrl = () => ({ [`RPC_URL_${CHAIN}`]: node.url, [`FINALITY_DEPTH_${CHAIN}`]: '0' });

  it('loads the graph and goes on indexing after the last block', async () => {
    const { file, rows } = await takeSnapshot();
    const loaded = await bootstrap(own.database, file, nodeUrl());
    expect(loaded).toMatchObject({ code: 0, stdout: expect.stringMatching(/: [1-9]\d* logs loaded\n$/) });
    const store = await own.open();
    expect(await rankedDump(store)).toEqual(rows);
    expect((await readCursor(store, CHAIN))?.number).toBe(await node.blockNumber());
    await mine(3);
    const asked: number[] = [];
    const fetch: typeof globalThis.fetch = (url, init) => {
      for (const [, from] of String(init?.body).matchAll(/"fromBlock":"(\w+)"/g)) asked.push(Number(from));
      return globalThis.fetch(url, init);
    };
    await indexOnce(store, [node], { fetch });
    await expectCleanReplay(store, [node]);
    expect(Math.min(...asked, Number.MAX_SAFE_INTEGER)).toBeGreaterThan(20);
  });

  it('goes back to the final block if a reorg has removed the last one since', async () => {
    const { file } = await takeSnapshot();
    await node.rollBack(3);
    await mine(9);
    expect(await bootstrap(own.database, file, nodeUrl())).toMatchObject({ code: 0 });
    const store = await own.open();
    await indexOnce(store, [node]);
    await expectCleanReplay(store, [node]);
  });

  it('downloads a snapshot from a URL, and leaves no file', async () => {
    const { file, rows, last } = await takeSnapshot();
    const server = await serveFile(await readFile(file));
    const loaded = await bootstrap(own.database, server.url);
    expect(loaded).toMatchObject({ code: 0, stdout: expect.stringMatching(/^127\.0\.0\.1:\d+: \d+ logs loaded\n$/) });
    expect(await withStore(own.database, rankedDump)).toEqual(rows);
    // No node has confirmed the cursor.
    expect(await withStore(own.database, (store) => readCursor(store, CHAIN))).toMatchObject(last);
  });

  it('continues after the last log without a node, whatever cursor the snapshot has, and misses nothing', async () => {
    const { file, last } = await takeSnapshot();
    const changed = await writeTemporary('changed', withCursor(await readLines(file), FAR));
    expect(await bootstrap(own.database, changed)).toMatchObject({ code: 0 });
    const store = await own.open();
    expect(await readCursor(store, CHAIN)).toMatchObject(last);
    await mine(3);
    await indexOnce(store, [node]);
    await expectCleanReplay(store, [node]);
  });

  it.each<[string, (lines: string[]) => string[], RegExp]>([
    [
      'a last block that no node has, after a final one with the right hash',
      (lines) => withCursor(lines, FAR).split('\n'),
      /^RPC_URL_8453: the node has no block 9007199254740991, which the snapshot has \[E_NODE_UNAVAILABLE\]$/,
    ],
    [
      'another hash of the final block',
      ([header = '', ...logs]) => {
        const changed = JSON.parse(header);
        changed.chains[0].cursor.final.hash = `0x${'12'.repeat(32)}`;
        return [JSON.stringify(changed), ...logs];
      },
      /^chain 8453: the snapshot has block \d+ with hash 0x1212.*, the node has 0x.* \[E_DIFFERENT_LOGS\]$/,
    ],
    [
      'a log above the last block',
      ([header = '', ...logs]) => {
        const changed = JSON.parse(header);
        const { cursor } = changed.chains[0];
        Object.assign(cursor, { number: 12, final: { number: 12, hash: cursor.final.hash } });
        return [JSON.stringify(changed), ...logs];
      },
      /a log of block \d+ of chain 8453, whose last block is 12 \[E_BAD_INPUT\]$/,
    ],
  ])('keeps nothing of a snapshot with %s', async (title, change, message) => {
    const { file } = await takeSnapshot();
    const changed = await writeTemporary('changed', change(await readLines(file)).join('\n'));
    const before = await withStore(own.database, rowsOf);
    const env = /hash/.test(title) ? nodeUrl() : {};
    const { code, stderr } = await bootstrap(own.database, changed, env);
    expect(code).toBe(1);
    expect(failureIn(stderr)).toMatch(message);
    expect(await withStore(own.database, rowsOf)).toEqual(before);
  });

  it('keeps nothing of a snapshot that lacks a log that the node has', async () => {
    const source = await own.another();
    await withStore(source, (store) => indexOnce(store, [node]));
    const [, removed] = (await node.logs()).map(({ blockNumber }) => Number(blockNumber));
    await withStore(source, (store) =>
      store.transaction((tx) => tx.execute((db) => db.deleteFrom('logs').where('block_number', '=', removed ?? 0))),
    );
    const file = await newPath('logs.ndjson');
    await runKith(['export', 'logs', file], { env: { DATABASE_URL: source.url } });
    const before = await withStore(own.database, rowsOf);
    const { code, stderr } = await bootstrap(own.database, file, nodeUrl());
    expect(code).toBe(1);
    expect(failureIn(stderr)).toMatch(
      new RegExp(`^chain 8453: block ${removed}, log \\d+: missing in the snapshot; .* \\[E_DIFFERENT_LOGS\\]$`),
    );
    expect(await withStore(own.database, rowsOf)).toEqual(before);
  });

  it('loads nothing if no node answers', async () => {
    const { file } = await takeSnapshot();
    const { code, stderr } = await bootstrap(own.database, file, { RPC_URL_8453: 'http://127.0.0.1:9' });
    expect(code).toBe(1);
    expect(failureIn(stderr)).toContain('[E_NODE_UNAVAILABLE]');
    expect((await withStore(own.database, allRows)).logs).toEqual([]);
  });

  it('refuses a database with logs', async () => {
    const { file } = await takeSnapshot();
    await withStore(own.database, (store) => loadLogs(store, logsOf(annsList)));
    const { code, stderr } = await bootstrap(own.database, file);
    expect(code).toBe(2);
    expect(failureIn(stderr)).toMatch(/^the database is not empty: /);
  });

  it('is done by kith start with SNAPSHOT_URL, which says how old the snapshot is, and not again by the next start', async () => {
    const { file, last } = await takeSnapshot();
    const server = await serveFile(await readFile(file));
    const env = { DATABASE_URL: own.database.url, SNAPSHOT_URL: server.url };
    for (let start = 0; start < 2; start++) {
      const kith = await startKithHere(['start'], env);
      expect(kith.stderr()).toMatch(/chain 8453 is served as of block \d+ of [\dT:.-]+Z, \d+ hours ago/);
      const { json } = await fetchAnswer(`${kith.url}/status`);
      expect(json.chains).toMatchObject([{ chainId: CHAIN, indexed: last }]);
      expect((await kith.end()).code).toBe(0);
    }
    expect(server.requests).toHaveLength(1);
  });
});

const FAR = { number: Number.MAX_SAFE_INTEGER, hash: `0x${'12'.repeat(32)}` };

const readLines = async (file: string) =>
  gunzipSync(await readFile(file))
    .toString()
    .split('\n');

function withCursor([header = '', ...logs]: string[], cursor: object): string {
  const changed = JSON.parse(header);
  Object.assign(changed.chains[0].cursor, cursor);
  return [JSON.stringify(changed), ...logs].join('\n');
}

/** On PostgreSQL, the lock leaves a row with its last holder. */
async function rowsOf(store: Store) {
  return { ...(await allRows(store)), leases: [] };
}

describe('kith bootstrap', () => {
  const [sqlite = expect.fail('no engine')] = engines;
  const own = useOwnDatabase(sqlite);
  const run = (...args: string[]) => runKith(['bootstrap', ...args], { env: { DATABASE_URL: own.database.url } });

  it.each([
    [[], /^FILE: expected a file or an https URL/],
    [['a', 'b'], /^unexpected argument "b"/],
    [['http://example.org/logs.gz'], /^URL: expected https/],
  ])('rejects the arguments %j', async (args, message) => {
    const { code, stderr } = await run(...args);
    expect(code).toBe(2);
    expect(failureIn(stderr)).toMatch(message);
  });

  it('refuses logs without a header', async () => {
    const { code, stderr } = await run(await writeTemporary('logs', linesOf(LOGS)));
    expect(code).toBe(1);
    expect(failureIn(stderr)).toMatch(/: no header of kith export logs, .* \[E_BAD_INPUT\]$/);
  });

  it('refuses logs that were imported, because their last block is unknown', async () => {
    const source = await own.another();
    await importInput(source, 'logs', linesOf(LOGS));
    const file = await newPath('logs');
    await runKith(['export', 'logs', file], { env: { DATABASE_URL: source.url } });
    const { code, stderr } = await run(file);
    expect(code).toBe(1);
    expect(failureIn(stderr)).toMatch(/: the logs of chain 1 were imported, .*kith import logs reads the file/);
  });
});
