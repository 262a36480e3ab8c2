import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type ImportKind, importFile } from '../../src/import/import-file.ts';
import { deployments } from '../../src/protocol/deployments.ts';
import type { RawLog } from '../../src/protocol/parse-log.ts';
import { type LogBody, word } from '../model/encode-log.ts';
import { ANN, ANNS, annsList, BOB, BOBS, bobsList, CAT, follow, logsOf } from '../model/small-history.ts';
import { allRows, useOwnDatabase, withStore } from '../store/own-database.ts';
import { anyEngine } from '../support/engines.ts';
import { loadLogs, loadRanks } from '../support/load.ts';
import { BADGES, importFiles, importInput, linesOf, PROFILES, statusOf, writeTemporary } from './import-files.ts';
import { failureIn } from './run-kith.ts';

/** Stored before the invalid file is imported. */
const KNOWN = [...annsList, follow(ANNS, BOB)];
const NEW = [...bobsList, follow(BOBS, ANN)];
const history = logsOf([...KNOWN, ...NEW, follow(BOBS, CAT)]);
const known = history.slice(0, KNOWN.length);
const fresh = history.slice(KNOWN.length, -1);
const [next] = history.slice(-1) as [RawLog];
const [lastKnown] = known.slice(-1) as [RawLog];
const [lastFresh] = fresh.slice(-1) as [RawLog];

/** A log with the position of another one. */
const inPlaceOf = ({ blockNumber, blockHash, blockTimestamp, logIndex }: RawLog, body: LogBody): RawLog => ({
  ...body,
  blockNumber,
  blockHash,
  blockTimestamp,
  logIndex,
});
const OTHER_HASH = word(0xbadn);

type Bad = readonly [title: string, line: string, cause: RegExp];

/** Tested through the command, one of each kind. */
const BAD_LOGS: readonly Bad[] = [
  ['that is broken JSON', '{"chainId": 1, "address"', /not JSON: .*/],
  ['with a wrong field', JSON.stringify({ ...next, blockNumber: 12 }), /blockNumber: expected .*, got 12/],
  [
    'with a second hash for a block that is stored',
    JSON.stringify({ ...lastKnown, blockHash: OTHER_HASH, logIndex: '0x7' }),
    new RegExp(`block \\d+ of chain 8453 is stored with hash .*${OTHER_HASH}`),
  ],
  [
    'with other content at a position that is stored',
    JSON.stringify(inPlaceOf(lastKnown, follow(ANNS, CAT))),
    /log 0 of block \d+ of chain 8453 is stored with different content/,
  ],
];

/** Variants, tested without the command. */
const MORE_BAD_LOGS: readonly Bad[] = [
  ['that is truncated', JSON.stringify(next).slice(0, -20), /not JSON: .*/],
  ['that is not an object', '[1, 2]', /expected a JSON object, got \[1,2\]/],
  ['with text in place of a number', JSON.stringify({ ...next, chainId: '1' }), /chainId: expected .*, got "1"/],
  [
    'without a time',
    JSON.stringify({ ...next, blockTimestamp: undefined }),
    /blockTimestamp: expected .*, got nothing/,
  ],
  ['with a short address', JSON.stringify({ ...next, address: '0x12' }), /address: expected .*, got "0x12"/],
  ['with a short topic', JSON.stringify({ ...next, topics: ['0x12'] }), /topics\[0\]: expected .*, got "0x12"/],
  ['with half a byte of data', JSON.stringify({ ...next, data: '0x123' }), /data: expected .*, got "0x123"/],
  ['that was removed by a reorg', JSON.stringify({ ...next, removed: true }), /removed: .*reorg/],
  [
    'with a second time for a block that is stored',
    JSON.stringify({ ...lastKnown, blockTimestamp: '0x1', logIndex: '0x7' }),
    /block \d+ of chain 8453 is stored with hash .* and 1$/,
  ],
  [
    'with a second hash for a block of the same file',
    JSON.stringify({ ...lastFresh, blockHash: OTHER_HASH, logIndex: '0x7' }),
    new RegExp(`block \\d+ of chain 10 is stored with hash .*${OTHER_HASH}`),
  ],
  [
    'with other content at a position of the same file',
    JSON.stringify(inPlaceOf(lastFresh, follow(BOBS, CAT))),
    /log 0 of block \d+ of chain 10 is stored with different content/,
  ],
];

const [profile] = PROFILES as [(typeof PROFILES)[0]];
const [badge] = BADGES as [(typeof BADGES)[0]];
const BAD_OTHERS: readonly [title: string, kind: 'profiles' | 'badges', line: unknown, cause: RegExp][] = [
  ['profile without an address', 'profiles', { ...profile, address: undefined }, /address: expected .*, got nothing/],
  ['profile with a number as its name', 'profiles', { ...profile, name: 7 }, /name: expected .*, got 7/],
  ['profile with a list of records', 'profiles', { ...profile, records: [] }, /records: expected .*, got \[\]/],
  [
    'profile with a record that is not text',
    'profiles',
    { ...profile, records: { a: 1 } },
    /records\.a: expected .*, got 1/,
  ],
  ['profile without a time', 'profiles', { ...profile, fresh: null }, /fresh: expected .*, got null/],
  ['badge without an owner', 'badges', { ...badge, owner: undefined }, /owner: expected .*, got nothing/],
  ['badge without a token', 'badges', { ...badge, tokenId: '' }, /tokenId: expected .*, got ""/],
  ['badge without an event', 'badges', { ...badge, event: undefined }, /event: expected .*, got nothing/],
  [
    'badge whose event has no number',
    'badges',
    { ...badge, event: { ...badge.event, id: '1' } },
    /event\.id: expected .*, got "1"/,
  ],
];

describe.each(anyEngine)('kith import of bad input on $name', (engine) => {
  const own = useOwnDatabase(engine);
  const rows = () => withStore(own.database, allRows);

  const loadKnown = () =>
    withStore(own.database, async (store) => {
      await loadLogs(store, known);
      await loadRanks(store, 1);
    });
  const importHere = (kind: ImportKind, file: string) =>
    withStore(own.database, (store) =>
      importFile(kind, file, {
        store,
        deployment: deployments.mainnet,
        stdin: Readable.from([]),
        now: () => 1,
        onProgress: () => undefined,
      }),
    );

  it.each(BAD_LOGS)('rolls back a file with a log %s, and names the line', async (_, line, cause) => {
    await loadKnown();
    const before = await rows();
    const file = await writeTemporary('logs.ndjson', `${linesOf(fresh)}\n${line}\n${linesOf([next])}`);
    const { code, stdout, stderr } = await importFiles(own.database, 'logs', file);
    expect(code).toBe(1);
    expect(failureIn(stderr)).toMatch(new RegExp(`^${file}, line ${fresh.length + 2}: ${cause.source}.*$`));
    expect(stdout).toBe('');
    expect(await rows()).toEqual(before);
  });

  it.each(MORE_BAD_LOGS)('rolls back a log %s, and names the line', async (_, line, cause) => {
    await loadKnown();
    const before = await rows();
    const file = await writeTemporary('logs.ndjson', `${linesOf(fresh)}\n${line}\n${linesOf([next])}`);
    const message = new RegExp(`^${file}, line ${fresh.length + 2}: ${cause.source}`);
    await expect(importHere('logs', file)).rejects.toThrow(message);
    expect(await rows()).toEqual(before);
  });

  it.each(BAD_OTHERS)('rolls back a %s, and names the line', async (_, kind, value, cause) => {
    const good = kind === 'profiles' ? PROFILES : BADGES;
    const before = await rows();
    const file = await writeTemporary(kind, linesOf([...good, value]));
    const message = new RegExp(`^${file}, line ${good.length + 1}: ${cause.source}`);
    await expect(importHere(kind, file)).rejects.toThrow(message);
    expect(await rows()).toEqual(before);
  });

  it('names standard input in the error', async () => {
    const { code, stderr } = await importInput(own.database, 'logs', '\n{');
    expect(code).toBe(1);
    expect(failureIn(stderr)).toMatch(/^standard input, line 2: not JSON/);
  });

  it('rolls back a file whose invalid line follows tens of thousands of valid ones', async () => {
    const many = Array.from({ length: 20_500 }, (_, i) => ({ address: `0x${String(i).padStart(40, '0')}`, fresh: 1 }));
    const before = await rows();
    const { code, stderr } = await importInput(own.database, 'profiles', `${linesOf(many)}{}\n`);
    expect(code).toBe(1);
    expect(failureIn(stderr)).toMatch(/^standard input, line 20501: address/);
    expect(await rows()).toEqual(before);
  });

  it('refuses a line without an end before all of it is read, and names the line', async () => {
    const before = await rows();
    const endless = `${linesOf(known)}"${'a'.repeat(20_000_000)}`;
    const { code, stderr } = await importInput(own.database, 'logs', endless);
    expect(code).toBe(1);
    expect(failureIn(stderr)).toMatch(`standard input, line ${known.length + 1}: longer than 4194304 characters`);
    expect(await rows()).toEqual(before);
  });

  it('keeps the files before an invalid one, computes the ranks, and skips the files after it', async () => {
    const first = await writeTemporary('first', linesOf(known));
    const bad = await writeTemporary('bad', `${linesOf(fresh)}{`);
    const last = await writeTemporary('last', linesOf([next]));
    const { code, stdout, stderr } = await importFiles(own.database, 'logs', first, bad, last);
    expect(code).toBe(1);
    expect(stdout).toBe(`${first}: ${known.length} logs read, ${known.length} new\n`);
    expect(failureIn(stderr)).toContain(`${bad}, line ${fresh.length + 1}: `);
    expect((await statusOf(own.database)).counts).toMatchObject({ logs: known.length, follows: 1, ranked: 2 });
    const after = await rows();

    const other = await own.another();
    await importFiles(other, 'logs', first);
    expect(withoutTime(await withStore(other, allRows))).toEqual(withoutTime(after));
  });

  it('names a file that does not exist', async () => {
    const { code, stderr } = await importFiles(own.database, 'logs', '/nowhere/logs.ndjson');
    expect(code).toBe(1);
    expect(failureIn(stderr)).toMatch(/^\/nowhere\/logs\.ndjson: .*no such file/);
  });

  it('rejects a folder', async () => {
    const { code, stderr } = await importFiles(own.database, 'logs', '/');
    expect(code).toBe(1);
    expect(failureIn(stderr)).toMatch(/^\/: .*directory/);
  });

  it.each([
    ['in the middle', (packed: Buffer) => packed.subarray(0, packed.length / 2)],
    ['before its last byte', (packed: Buffer) => packed.subarray(0, -1)],
    ['after its first bytes', (packed: Buffer) => packed.subarray(0, 5)],
  ])('rolls back a gzip file that is truncated %s', async (_, cut) => {
    const before = await rows();
    const file = await writeTemporary('logs.gz', cut(gzipSync(linesOf(history))));
    const { code, stderr } = await importFiles(own.database, 'logs', file);
    expect(code).toBe(1);
    expect(failureIn(stderr)).toBe(`${file}: unexpected end of file [E_BAD_INPUT]`);
    expect(await rows()).toEqual(before);
  });

  it('rolls back a gzip file with a wrong checksum', async () => {
    const before = await rows();
    const packed = gzipSync(linesOf(history));
    packed[packed.length - 6] = (packed.at(-6) ?? 0) ^ 0xff;
    const file = await writeTemporary('logs.gz', packed);
    const { code, stderr } = await importFiles(own.database, 'logs', file);
    expect(code).toBe(1);
    expect(failureIn(stderr)).toBe(`${file}: incorrect data check [E_BAD_INPUT]`);
    expect(await rows()).toEqual(before);
  });
});

function withoutTime(rows: Awaited<ReturnType<typeof allRows>>) {
  return { ...rows, state: rows.state?.filter((row) => !String(row).includes('ranked_at')) };
}
