import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { SnapshotHeader } from '../../src/import/snapshot-header.ts';
import { deployments } from '../../src/protocol/deployments.ts';
import type { RawLog } from '../../src/protocol/parse-log.ts';
import { word } from '../model/encode-log.ts';
import { useOwnDatabase, withStore } from '../store/own-database.ts';
import { queryDatabase } from '../store/query-database.ts';
import { dump, sizes } from '../support/dump.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { newPath } from '../support/new-path.ts';
import { readAnswers } from '../support/read-answers.ts';
import { importFiles, importInput, LOGS, linesOf } from './import-files.ts';
import { runKith } from './run-here.ts';
import { failureIn } from './run-kith.ts';

const EXCHANGES = engines.flatMap((from) => engines.map((to) => ({ from, to })));

describe.each(EXCHANGES)('kith export logs from $from.name', ({ from, to }) => {
  const source = useOwnDatabase(from);
  const target = useOwnDatabase(to);

  it(`gives the same rows and answers after an import into ${to.name}`, async () => {
    await importInput(source.database, 'logs', linesOf(LOGS));
    const file = await newPath('logs.ndjson.gz');
    const before = await withStore(source.database, dump);
    const exported = await exportLogs(source.database, file);
    expect(exported).toMatchObject({ code: 0, stdout: `${file}: ${before.logs?.length} logs written\n` });
    expect((await importFiles(target.database, 'logs', file)).code).toBe(0);
    expect(await withStore(target.database, dump)).toEqual(before);
    expect(sizes(before)).toMatchObject({ edges: 18, edge_tags: 3, leaderboard: 9 });
    expect(await withStore(target.database, readAnswers)).toEqual(await withStore(source.database, readAnswers));
  });
});

describe.each(engines)('kith export logs on $name', (engine) => {
  const own = useOwnDatabase(engine);

  it('writes to standard output what it writes to a file, and gzip only if the name ends in .gz', async () => {
    await importInput(own.database, 'logs', linesOf(LOGS));
    const [plain, zipped] = [await newPath('logs.ndjson'), await newPath('logs.ndjson.gz')];
    await exportLogs(own.database, plain);
    await exportLogs(own.database, zipped);
    const text = await readFile(plain, 'utf8');
    expect(gunzipSync(await readFile(zipped)).toString()).toBe(text);
    expect((await exportLogs(own.database, '-')).stdout).toBe(text);
    expect((await exportLogs(own.database)).stdout).toBe(text);
  });

  it('writes the logs as nodes returned them', async () => {
    const known = new Map(LOGS.map((log) => [positionOf(log), log]));
    await importInput(own.database, 'logs', linesOf(LOGS));
    const { logs } = await exported(own.database);
    expect(logs).toHaveLength(96);
    for (const log of logs) {
      const { topics = [], ...rest } = known.get(positionOf(log)) ?? {};
      // The sender of a transfer is not stored.
      expect(log).toEqual({ ...rest, topics: topics.length === 4 ? topics.with(1, log.topics[1] ?? '') : topics });
    }
  });

  it('writes a header with the contracts, the number of logs and their SHA-256', async () => {
    await importInput(own.database, 'logs', linesOf(LOGS));
    const { header, content } = await exported(own.database);
    expect(header).toEqual({
      kithSnapshot: 1,
      deployment: { name: 'mainnet', contracts: deployments.mainnet.contracts },
      chains: [1, 10, 8453].map((chainId) => ({ chainId, cursor: null })),
      logs: 96,
      sha256: createHash('sha256').update(content).digest('hex'),
    });
  });

  const blocks = LOGS.filter(({ chainId }) => chainId === 8453).map(({ blockNumber }) => Number(blockNumber));
  const middle = blocks.toSorted((a, b) => a - b)[Math.floor(blocks.length / 2)] ?? 0;
  const highest = Math.max(...blocks);
  const [finalHash, lastHash] = [word(1n), word(2n)];
  /** Writes where an indexer is on Base; the block in the middle is final. */
  const setCursor = async (last: number) => {
    const cursor = `8453, ${last}, '${lastHash}', 1790000000, ${highest}, 1, ${middle}, 1`;
    await queryDatabase(own.database, `insert into cursors values (${cursor})`);
    await queryDatabase(own.database, `insert into indexed_contracts values (8453, 'contracts', 7, 1, 0)`);
    for (const [number, hash] of [
      [middle, finalHash],
      [last, lastHash],
    ])
      await queryDatabase(own.database, `insert into recent_blocks values (8453, ${number}, '${hash}')`);
  };

  it('writes every log once if a chain is indexed and some of its blocks are not final', async () => {
    await importInput(own.database, 'logs', linesOf(LOGS));
    const before = await exported(own.database);
    await setCursor(highest + 5);
    const { header, content } = await exported(own.database);
    expect(content).toBe(before.content);
    const final = { number: middle, hash: finalHash };
    const cursor = { number: highest + 5, hash: lastHash, time: 1_790_000_000, startBlock: 7, final };
    expect(header).toEqual({ ...before.header, chains: before.header.chains.with(2, { chainId: 8453, cursor }) });
  });

  it('writes no log above the cursor of a chain', async () => {
    await importInput(own.database, 'logs', linesOf(LOGS));
    const { logs: all } = await exported(own.database);
    await setCursor(highest - 1);
    const { header, logs } = await exported(own.database);
    expect(logs).toEqual(all.filter(({ chainId, blockNumber }) => chainId !== 8453 || Number(blockNumber) < highest));
    expect(header.logs).toBe(logs.length);
    expect(logs.length).toBeLessThan(all.length);
  });

  it('writes a chain that is indexed and has no logs', async () => {
    await setCursor(highest);
    const { header, logs } = await exported(own.database);
    expect(header.chains).toEqual([{ chainId: 8453, cursor: expect.objectContaining({ number: highest }) }]);
    expect(logs).toEqual([]);
  });

  it('never replaces a file', async () => {
    await importInput(own.database, 'logs', linesOf(LOGS));
    const file = await newPath('logs.ndjson');
    await writeFile(file, 'kept');
    const { code, stderr } = await exportLogs(own.database, file);
    expect(code).toBe(1);
    expect(stderr).toContain('E_OUTPUT');
    expect(await readFile(file, 'utf8')).toBe('kept');
    const missing = await exportLogs(own.database, `${file}.folder/logs.ndjson`);
    expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('E_OUTPUT') });
  });

  it('refuses to export logs with the contracts of another deployment', async () => {
    await importInput(own.database, 'logs', linesOf(LOGS));
    const env = { DATABASE_URL: own.database.url, DEPLOYMENT: 'testnet' };
    const { code, stderr } = await runKith(['export', 'logs'], { env });
    expect(code).toBe(1);
    expect(failureIn(stderr)).toMatch(
      /^DEPLOYMENT: .* on chain 1 than those of the deployment testnet;.* \[E_OTHER_DEPLOYMENT\]$/,
    );
  });

  it('fails with E_NO_DATABASE where there is no database', async () => {
    const bare = await engine.createBare();
    const { code, stderr } = await exportLogs(bare);
    await bare.drop();
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('E_NO_DATABASE') });
  });
});

function exportLogs({ url }: TestDatabase, ...file: string[]) {
  return runKith(['export', 'logs', ...file], { env: { DATABASE_URL: url } });
}

async function exported(database: TestDatabase) {
  const { stdout } = await exportLogs(database);
  const end = stdout.indexOf('\n') + 1;
  const header: SnapshotHeader = JSON.parse(stdout.slice(0, end));
  const content = stdout.slice(end);
  const logs = content.split('\n').slice(0, -1);
  return { header, content, logs: logs.map((line): RawLog => JSON.parse(line)) };
}

const positionOf = ({ chainId, blockNumber, logIndex }: RawLog) =>
  [chainId, Number(blockNumber), Number(logIndex)].join('/');
