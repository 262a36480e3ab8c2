import { readFile, writeFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { RawLog } from '../../src/protocol/parse-log.ts';
import { useOwnDatabase, withStore } from '../store/own-database.ts';
import { queryDatabase } from '../store/query-database.ts';
import { dump, sizes } from '../support/dump.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { readAnswers } from '../support/read-answers.ts';
import { importFiles, importInput, LOGS, linesOf, newPath } from './import-files.ts';
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
    const lines = (await exportLogs(own.database)).stdout.trimEnd().split('\n');
    const logs = lines.map((line): RawLog => JSON.parse(line));
    expect(logs).toHaveLength(96);
    for (const log of logs) {
      const { topics = [], ...rest } = known.get(positionOf(log)) ?? {};
      // The sender of a transfer is not stored.
      expect(log).toEqual({ ...rest, topics: topics.length === 4 ? topics.with(1, log.topics[1] ?? '') : topics });
    }
  });

  it('writes every log once if a chain is indexed and some of its blocks are not final', async () => {
    await importInput(own.database, 'logs', linesOf(LOGS));
    const { stdout } = await exportLogs(own.database);
    const blocks = LOGS.filter(({ chainId }) => chainId === 8453).map(({ blockNumber }) => Number(blockNumber));
    const middle = blocks.toSorted((a, b) => a - b)[Math.floor(blocks.length / 2)] ?? 0;
    await queryDatabase(
      own.database,
      `insert into cursors values (8453, ${Math.max(...blocks)}, '0x', 1, ${Math.max(...blocks)}, 1, ${middle}, 1)`,
    );
    expect(await exportLogs(own.database)).toMatchObject({ code: 0, stdout });
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
      /^DEPLOYMENT: .* on chain 8453 than those of the deployment testnet;.* \[E_OTHER_DEPLOYMENT\]$/,
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

const positionOf = ({ chainId, blockNumber, logIndex }: RawLog) =>
  [chainId, Number(blockNumber), Number(logIndex)].join('/');
