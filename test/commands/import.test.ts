import { beforeAll, describe, expect, it } from 'vitest';
import { parseBadge, writeBadges } from '../../src/badges/badge.ts';
import { IMPORT_KINDS } from '../../src/import/import-file.ts';
import type { Store } from '../../src/store/store.ts';
import { listOp, opBytes } from '../model/encode-log.ts';
import { ANN, ANNS, annsList, BOB, BOBS, bobsList, follow, logsOf, tag } from '../model/small-history.ts';
import { allRows, type Rows, useOwnDatabase, withStore } from '../store/own-database.ts';
import { sizes } from '../support/dump.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { loadLogs, loadProfiles, loadRanks } from '../support/load.ts';
import {
  BADGES,
  importBy,
  importFiles,
  importInput,
  LOGS,
  linesOf,
  PROFILES,
  RECORDS,
  shuffled,
  statusOf,
  WAYS_IN,
  writeTemporary,
} from './import-files.ts';

const SHUFFLE_SEEDS = [1, 2];
const CHAINS = [8453, 10, 1];

describe.each(engines)('kith import on $name', (engine) => {
  const own = useOwnDatabase(engine);
  const rowsOf = (database: TestDatabase) => withStore(database, allRows);

  /** The expected rows of each kind, written without the command. */
  const expected: Partial<Record<(typeof IMPORT_KINDS)[number], Rows>> = {};
  beforeAll(async () => {
    const load = async (work: (store: Store) => Promise<void>) => {
      const database = await engine.create();
      try {
        return await withStore(database, async (store) => {
          await work(store);
          return comparable(await allRows(store));
        });
      } finally {
        await database.drop();
      }
    };
    expected.logs = await load(async (store) => {
      await loadLogs(store, LOGS);
      await loadRanks(store, 1);
    });
    expected.profiles = await load((store) => loadProfiles(store, PROFILES));
    expected.badges = await load((store) =>
      store.transaction(async (tx) => {
        await writeBadges(
          tx,
          BADGES.map((badge) => parseBadge(badge, 0)),
        );
      }),
    );
    // Guards against comparing empty tables.
    expect(sizes(expected.logs)).toMatchObject({ logs: 96, edges: 18, edge_tags: 3, leaderboard: 9 });
    expect(sizes(expected.profiles).profiles).toBe(PROFILES.length);
    expect(sizes(expected.badges).badges).toBe(BADGES.length);
  });

  describe.each(IMPORT_KINDS)('of %s', (kind) => {
    it.each(WAYS_IN)('imports from %s', async (way) => {
      const outcome = await importBy(way, own.database, kind, RECORDS[kind]);
      expect(outcome).toMatchObject({
        code: 0,
        stdout: expect.stringContaining(`${RECORDS[kind].length} ${kind} read`),
      });
      expect(comparable(await rowsOf(own.database))).toEqual(expected[kind]);
    });

    it('changes no row when they are imported again', async () => {
      const first = await importBy('a plain file', own.database, kind, RECORDS[kind]);
      expect(first.stdout).not.toContain(' 0 new');
      const before = await rowsOf(own.database);
      const again = await importBy('a plain file', own.database, kind, RECORDS[kind]);
      expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining(' 0 new') });
      expect(await rowsOf(own.database)).toEqual(before);
    });
  });

  it('skips empty lines, and accepts CRLF and a missing newline at the end', async () => {
    const lines = LOGS.map((log) => JSON.stringify(log));
    const outcome = await importInput(own.database, 'logs', `\r\n\n  \n${lines.join('\r\n\r\n')}`);
    expect(outcome.code).toBe(0);
    expect(comparable(await rowsOf(own.database))).toEqual(expected.logs);
  });

  it('imports an empty file as no records', async () => {
    const before = await rowsOf(own.database);
    const outcome = await importFiles(own.database, 'logs', await writeTemporary('empty', ''));
    expect(outcome).toMatchObject({ code: 0, stdout: expect.stringContaining('0 logs read, 0 new') });
    expect(await rowsOf(own.database)).toEqual(before);
  });

  it('keeps the data version if logs are imported twice', async () => {
    await importInput(own.database, 'logs', linesOf(LOGS));
    const { dataVersion } = await statusOf(own.database);
    expect(dataVersion).toBeGreaterThan(0);
    await importInput(own.database, 'logs', linesOf(LOGS));
    expect((await statusOf(own.database)).dataVersion).toBe(dataVersion);
  });

  it.each(SHUFFLE_SEEDS)('writes the same rows for logs in another order (seed %i)', async (seed) => {
    const outcome = await importInput(own.database, 'logs', linesOf(shuffled(seed, LOGS)));
    expect(outcome.code).toBe(0);
    expect(comparable(await rowsOf(own.database))).toEqual(expected.logs);
  });

  it.each([
    ['one order', CHAINS],
    ['the other order', CHAINS.toReversed()],
  ])('writes the same rows for one file per chain in %s', async (_, chains) => {
    const files = await Promise.all(
      chains.map((chainId) => writeTemporary(`${chainId}`, linesOf(LOGS.filter((log) => log.chainId === chainId)))),
    );
    const outcome = await importFiles(own.database, 'logs', ...files);
    expect(outcome.code).toBe(0);
    expect(comparable(await rowsOf(own.database))).toEqual(expected.logs);
  });

  it('computes the ranks at the end', async () => {
    await importInput(own.database, 'logs', linesOf(LOGS));
    const { counts, ranksMadeAt } = await statusOf(own.database);
    expect(counts.ranked).toBe(expected.logs?.leaderboard?.length);
    expect(Date.parse(ranksMadeAt ?? '')).toBeGreaterThan(0);
  });

  it('writes progress to stderr and the result to stdout', async () => {
    const file = await writeTemporary('logs', linesOf(LOGS));
    const { stdout, stderr } = await importFiles(own.database, 'logs', file);
    expect(JSON.parse(stderr).msg).toMatch(new RegExp(`^${file}: 100 % 100 logs, [\\d,]+ per second$`));
    expect(stdout).toMatch(new RegExp(`^${file}: 100 logs read, \\d+ new, \\d+ ignored\\n$`));
  });

  it('prints the number of ignored ops, and counts them in the status', async () => {
    const malformed = [listOp(ANNS, '0x01'), listOp(ANNS, opBytes(9, BOB)), listOp(BOBS, opBytes(3, ANN, '0xff'))];
    const logs = logsOf([...annsList, ...bobsList, follow(ANNS, BOB), ...malformed]);
    const { stdout } = await importInput(own.database, 'logs', linesOf(logs));
    expect(stdout).toContain('12 logs read, 12 new, 3 ignored');
    expect((await statusOf(own.database)).counts).toMatchObject({ logs: 12, ignoredOps: 3, follows: 1 });
  });

  it('counts an ignored op once if it is imported twice', async () => {
    const logs = linesOf(logsOf([listOp(ANNS, '0x01')]));
    await importInput(own.database, 'logs', logs + logs);
    await importInput(own.database, 'logs', logs);
    expect((await statusOf(own.database)).counts).toMatchObject({ logs: 1, ignoredOps: 1 });
  });

  it('ignores logs of other contracts', async () => {
    const foreign = logsOf(annsList).map((log) => ({ ...log, address: `0x${'12'.repeat(20)}` }));
    const before = await rowsOf(own.database);
    const { stdout } = await importInput(own.database, 'logs', linesOf(foreign));
    expect(stdout).toContain('4 logs read, 0 new, 4 ignored');
    expect(await rowsOf(own.database)).toEqual(before);
  });

  it('stores tags with special characters unchanged', async () => {
    const tags = [`'; drop table logs; --`, '"\\"', '🦊 \u202e', '{a,b}', 'null'];
    const logs = logsOf([...annsList, follow(ANNS, BOB), ...tags.map((text) => tag(ANNS, BOB, text))]);
    await importInput(own.database, 'logs', linesOf(logs));
    const found = await withStore(own.database, (store) =>
      store.transaction((tx) =>
        tx.query((db) => db.selectFrom('edge_tags').innerJoin('tags', 'tags.id', 'edge_tags.tag').select('tags.tag')),
      ),
    );
    expect(found.map((row) => row.tag).sort()).toEqual([...tags].sort());
  });
});

/** Drops versions, times, the history of the search, and tags that no record has any more: these may differ. */
function comparable(rows: Rows): Rows {
  const { badges = [], state = [], tags: _, search_changes: __, ...rest } = rows;
  return {
    ...rest,
    badges: badges.map((row) => String(row).replace(/"checked_at":\d+/, '"checked_at":0')),
    state: state.filter((row) => !/_version|ranked_at|last_id/.test(String(row))),
  };
}
