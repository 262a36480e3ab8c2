import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { deployments } from '../../src/protocol/deployments.ts';
import { allRows, useOwnDatabase, withStore } from '../store/own-database.ts';
import { anyEngine, engines } from '../support/engines.ts';
import { serveFile } from '../support/file-server.ts';
import { importFiles, LOGS, linesOf, statusOf, writeTemporary } from './import-files.ts';
import { failureIn } from './run-kith.ts';

const content = linesOf(LOGS);
const HEADER = {
  kithSnapshot: 1,
  deployment: { name: 'mainnet', contracts: deployments.mainnet.contracts },
  chains: [1, 10, 8453].map((chainId) => ({ chainId, cursor: null })),
  logs: LOGS.length,
  sha256: createHash('sha256').update(content).digest('hex'),
};
const HASH = `0x${'12'.repeat(32)}`;
const CURSOR = { number: 9, hash: HASH, time: 1, startBlock: 0, final: { number: 9, hash: HASH } };
const otherContract = (chainId: number) =>
  deployments.mainnet.contracts.map((it) => (it.chainId === chainId ? { ...it, address: `0x${'34'.repeat(20)}` } : it));

describe.each(anyEngine)('kith import logs of a snapshot on $name', (engine) => {
  const own = useOwnDatabase(engine);

  it('imports the logs after the header', async () => {
    const file = await writeTemporary('logs', linesOf([HEADER]) + content);
    const { code, stdout } = await importFiles(own.database, 'logs', file);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining(`${LOGS.length} logs read`) });
  });

  it.each([
    ['more logs', { logs: LOGS.length + 1 }, /: the header says 101 logs, but the file has 100/],
    ['fewer logs', { logs: LOGS.length - 1 }, /, line 101: the header says 99 logs, but there are more/],
    ['another sum', { sha256: '0'.repeat(64) }, /: the header says SHA-256 0{64}, but the logs have [\da-f]{64}/],
    ['no sum', { sha256: undefined }, /, line 1: sha256: expected 32 bytes/],
    ['a later format', { kithSnapshot: 2 }, /, line 1: kithSnapshot: expected 1, .*, got 2/],
    [
      'other contracts',
      { deployment: { name: 'mine', contracts: otherContract(10) } },
      /, line 1: deployment: the snapshot is of "mine", which differs from DEPLOYMENT "mainnet" in the list-records 0x3434.* on chain 10/,
    ],
    [
      'another chain',
      { chains: [{ chainId: 5, cursor: null }] },
      /, line 1: chains\[0\]\.chainId: expected one of .*, got 5/,
    ],
    [
      'a chain twice',
      { chains: [8453, 10, 8453].map((chainId) => ({ chainId, cursor: null })) },
      /, line 1: chains\[2\]\.chainId: expected a chain that is not named before, got 8453/,
    ],
    [
      'a start block above the last',
      { chains: [{ chainId: 10, cursor: { ...CURSOR, startBlock: 10 } }] },
      /, line 1: chains\[0\]\.cursor\.startBlock: expected at most 9, got 10/,
    ],
    [
      'a final block above the last',
      { chains: [{ chainId: 10, cursor: { ...CURSOR, final: { number: 10, hash: HASH } } }] },
      /, line 1: chains\[0\]\.cursor\.final\.number: expected at most 9, got 10/,
    ],
    [
      'half a cursor',
      { chains: [{ chainId: 10, cursor: { ...CURSOR, time: null } }] },
      /.*cursor\.time: expected Unix/,
    ],
  ])('rolls back a file whose header has %s', async (_, change, message) => {
    const before = await withStore(own.database, allRows);
    const file = await writeTemporary('logs', linesOf([{ ...HEADER, ...change }]) + content);
    const { code, stderr } = await importFiles(own.database, 'logs', file);
    expect(code).toBe(1);
    expect(failureIn(stderr)).toMatch(new RegExp(`^${file}${message.source}.* \\[E_BAD_INPUT\\]$`));
    expect(await withStore(own.database, allRows)).toEqual(before);
  });
});

describe('kith import logs from a URL', () => {
  const [sqlite = expect.fail('no engine')] = engines;
  const own = useOwnDatabase(sqlite);
  const leftovers = async () => {
    const folder = dirname(own.database.url.slice('sqlite:'.length));
    return (await readdir(folder)).filter((name) => name.startsWith('kith-download-'));
  };

  it('imports a gzip file, in parts if the connection breaks', async () => {
    const server = await serveFile(gzipSync(linesOf([HEADER]) + content));
    server.hangs.push(0);
    const { code, stdout } = await importFiles(own.database, 'logs', server.url);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^127\.0\.0\.1:\d+: 100 logs read, 96/),
    });
    expect((await statusOf(own.database)).counts.logs).toBe(96);
    expect(await leftovers()).toEqual([]);
  });

  it('names the host of a file with an invalid line, without its path, and discards it', async () => {
    const server = await serveFile(Buffer.from('{'));
    const { code, stderr } = await importFiles(own.database, 'logs', server.url);
    expect(code).toBe(1);
    expect(failureIn(stderr)).toMatch(/^127\.0\.0\.1:\d+, line 1: not JSON/);
    expect(stderr).not.toContain('logs.ndjson.gz');
    expect(await leftovers()).toEqual([]);
  });

  it('fails with E_DOWNLOAD if there is no such file', async () => {
    const server = await serveFile(Buffer.from(content));
    server.status = 404;
    const { code, stderr } = await importFiles(own.database, 'logs', server.url);
    expect(code).toBe(1);
    expect(failureIn(stderr)).toMatch(/^127\.0\.0\.1:\d+: download: responded with HTTP status 404 \[E_DOWNLOAD\]$/);
  });
});
