import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { createRandom } from '../model/random.ts';
import { allRows, useOwnDatabase, withStore } from '../store/own-database.ts';
import { addLaterMigration, queryDatabase } from '../store/query-database.ts';
import { deleteLogs } from '../support/damage-logs.ts';
import { dump, sizes } from '../support/dump.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { importInput, LOGS, linesOf, PROFILES } from './import-files.ts';
import { runKith } from './run-here.ts';
import { failureIn } from './run-kith.ts';

const DEMO = ['demo', '--accounts', '60', '--seed', '3', '--now', '1790000000'];
const FILLED_BY_DEMO = ['edges', 'edge_tags', 'notifications', 'leaderboard', 'profiles', 'badges'];
/** Far below the busy timeout of a writer, far above the time of a read. */
const SOON_MS = 15_000;
const PASSWORD = 'open-sesame';

describe.each(engines)('data commands on $name', (engine) => {
  const own = useOwnDatabase({ create: engine.createOwn });
  const kith = (args: readonly string[], { url }: TestDatabase = own.database) =>
    runKith(args, { env: { DATABASE_URL: url } });
  // On SQLite, the first process that opens the database creates it.
  beforeEach(() => withStore(own.database, async () => undefined));

  describe('a demo graph', () => {
    it('is reported by kith status', async () => {
      await kith(DEMO);
      expect(JSON.parse((await kith(['status'])).stdout)).toMatchObject({ isDemo: true, isLoading: false });
    });

    it('is not loaded into a database with other data', async () => {
      await importInput(own.database, 'logs', linesOf(LOGS));
      const before = await withStore(own.database, allRows);
      const { code, stderr } = await kith(DEMO);
      expect(code).toBe(1);
      expect(failureIn(stderr)).toMatch(/^the database has other data, .* \[E_DEMO_DATABASE\]$/);
      expect(await withStore(own.database, allRows)).toEqual(before);
    });

    it('takes no logs from a file', async () => {
      await kith(DEMO);
      const before = await withStore(own.database, allRows);
      const imported = await importInput(own.database, 'logs', linesOf(LOGS));
      expect(imported.code).toBe(1);
      expect(failureIn(imported.stderr)).toMatch(/^the database holds a demo graph, .* \[E_DEMO_DATABASE\]$/);
      expect(await withStore(own.database, allRows)).toEqual(before);
    });
  });

  describe('kith status', () => {
    it('prints the state of an empty database as JSON and nothing else', async () => {
      const { code, stdout, stderr } = await kith(['status']);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(JSON.parse(stdout)).toMatchObject({
        engine: engine.name,
        dataVersion: 0,
        counts: { logs: 0, ignoredOps: 0, lists: 0, accounts: 0, follows: 0, ranked: 0 },
        ranksMadeAt: null,
        chains: [],
      });
    });

    it('prints the row counts and the cursor of each chain', async () => {
      await importInput(own.database, 'logs', linesOf(LOGS));
      const status = JSON.parse((await kith(['status'])).stdout);
      const tables = await withStore(own.database, dump);
      const rows = sizes(tables);
      const withField = (table: string, field: string) =>
        tables[table]?.filter((row) => String(row).includes(field)).length;
      expect(status.counts).toMatchObject({
        logs: rows.logs,
        // Burned lists do not count, and neither do blocks and mutes.
        lists: withField('lists', '["owner","0x'),
        accounts: rows.accounts,
        follows: withField('edges', '["relation",0]'),
        ranked: rows.leaderboard,
      });
      expect(status.counts.lists).toBeLessThan(rows.lists ?? 0);
      expect(status.counts.follows).toBeLessThan(rows.edges ?? 0);
      const chains = status.chains.map(({ chainId }: { chainId: number }) => chainId);
      expect(chains).toEqual([1, 10, 8453]);
    });

    it('is not blocked by a long write transaction', async () => {
      const store = await own.open();
      await store.transaction(async (tx) => {
        await tx.count({ logs: 1 });
        const late = once(AbortSignal.timeout(SOON_MS), 'abort').then(() => 'still waiting');
        expect(await Promise.race([kith(['status']), late])).toMatchObject({ code: 0 });
      });
    });

    it('never shows the password of the database', async () => {
      const url = withPassword(own.database.url);
      const env = { DATABASE_URL: url, LOG_LEVEL: 'trace' };
      const { code, stdout, stderr } = await runKith(['status'], { env });
      expect({ code, hidden: !(stdout + stderr).includes(PASSWORD) }).toEqual({ code: 0, hidden: true });
    });
  });

  describe('kith demo', () => {
    it('generates the same rows for the same options in another database', async () => {
      const other = await own.another();
      expect(await kith(DEMO)).toMatchObject({ code: 0 });
      expect(await kith(DEMO, other)).toMatchObject({ code: 0 });
      const rows = await withStore(own.database, allRows);
      expect(FILLED_BY_DEMO.filter((table) => rows[table]?.length === 0)).toEqual([]);
      expect(await withStore(other, allRows)).toEqual(rows);
    });

    it('ends the history at the time given by --now', async () => {
      const { code, stderr } = await kith(DEMO);
      expect(code, stderr).toBe(0);
      expect(JSON.parse((await kith(['status'])).stdout).ranksMadeAt).toBe('2026-09-21T14:13:20.000Z');
    });

    it('changes nothing when it is run again', async () => {
      await kith(DEMO);
      const rows = await withStore(own.database, allRows);
      expect(await kith(DEMO)).toMatchObject({ code: 0 });
      expect(await withStore(own.database, allRows)).toEqual(rows);
    });

    it('generates other rows for another seed', async () => {
      const other = await own.another();
      await kith(DEMO);
      await kith(DEMO.with(4, '4'), other);
      const edgesIn = (store: Store) => dump(store).then(({ edges = [] }) => edges);
      const edges = await withStore(own.database, edgesIn);
      expect(edges).not.toEqual([]);
      expect(await withStore(other, edgesIn)).not.toEqual(edges);
    });
  });

  describe('kith rebuild', () => {
    it('changes no row of the graph', async () => {
      await importInput(own.database, 'logs', linesOf(LOGS));
      await importInput(own.database, 'profiles', linesOf(PROFILES));
      const before = await withStore(own.database, allRows);
      const { code, stdout } = await kith(['rebuild']);
      expect({ code, stdout }).toEqual({ code: 0, stdout: `rebuilt the graph from ${before.logs?.length} logs\n` });
      expect(withoutVersions(await withStore(own.database, allRows))).toEqual(withoutVersions(before));
    });

    it('changes no row of a demo graph', async () => {
      await kith(DEMO);
      const before = await withStore(own.database, allRows);
      expect(await kith(['rebuild'])).toMatchObject({ code: 0 });
      expect(withoutVersions(await withStore(own.database, allRows))).toEqual(withoutVersions(before));
    });

    it('restores rows of the graph that were deleted or changed', async () => {
      await importInput(own.database, 'logs', linesOf(LOGS));
      const before = await withStore(own.database, dump);
      await withStore(own.database, (store) =>
        store.transaction(async (tx) => {
          await tx.execute((db) => db.deleteFrom('edges'));
          await tx.execute((db) => db.updateTable('accounts').set({ followers: 77 }));
        }),
      );
      await kith(['rebuild']);
      expect(await withStore(own.database, dump)).toEqual(before);
    });

    it('counts the logs again after rows of them were deleted', async () => {
      await importInput(own.database, 'logs', linesOf(LOGS));
      await withStore(own.database, (store) => deleteLogs(store, createRandom(7), 5));
      const { stdout } = await kith(['rebuild']);
      const { logs = [], state } = await withStore(own.database, dump);
      expect(stdout).toBe(`rebuilt the graph from ${logs.length} logs\n`);
      expect(state).toContain(`[["key","logs"],["value",${logs.length}]]`);
    });

    it.each([
      ['a part', { part: -9 }],
      ['a subject', { subject: 1_000_000 }],
      ['an opcode', { opcode: 9 }],
      ['a payload', { payload: 'no hex' }],
    ])('names the log and what to run if %s that it has stored is not valid', async (_, damage) => {
      await importInput(own.database, 'logs', linesOf(LOGS));
      const position = await withStore(own.database, (store) =>
        store.transaction(async (tx) => {
          const [log = expect.fail('no log')] = await tx.query((db) => db.selectFrom('logs').selectAll().limit(1));
          await tx.upsert('logs', [{ ...log, ...damage }]);
          return `log ${log.log_index} of block ${log.block_number} of chain ${log.chain_id}`;
        }),
      );
      const { code, stderr } = await kith(['rebuild']);
      expect(code).toBe(1);
      expect(stderr).toContain('E_DATABASE_CORRUPT');
      expect(stderr).toContain(`${position} is damaged; run kith verify --all --repair`);
    });

    it('accepts an empty database', async () => {
      const { code, stdout } = await kith(['rebuild']);
      expect({ code, stdout }).toEqual({ code: 0, stdout: 'rebuilt the graph from 0 logs\n' });
    });
  });

  describe.each(['status', 'rebuild'])('kith %s without a database', (name) => {
    it('fails with E_NO_DATABASE and creates no table', async () => {
      const bare = await engine.createBare();
      onTestFinished(() => bare.drop());
      const { code, stdout, stderr } = await kith([name], bare);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain('E_NO_DATABASE');
      if (engine.name === 'sqlite') expect(existsSync(bare.url.slice('sqlite:'.length))).toBe(false);
      await expect(queryDatabase(bare, 'select 1 from logs')).rejects.toThrow('logs');
    });
  });

  it.each(['status', 'rebuild'])('kith %s rejects a database that a later version has migrated', async (name) => {
    await withStore(own.database, async () => undefined);
    await addLaterMigration(own.database);
    const { code, stderr } = await kith([name]);
    expect(code).toBe(1);
    expect(failureIn(stderr)).toMatch(/^the database is newer than this program: .*999-later.* \[E_NEWER_DATABASE\]$/);
  });
});

/** The test server trusts any password; SQLite has none. */
function withPassword(url: string): string {
  if (url.startsWith('sqlite:')) return url;
  const changed = new URL(url);
  changed.password = PASSWORD;
  return changed.href;
}

/** Drops versions and times, which may differ. */
function withoutVersions(rows: Record<string, unknown[]>) {
  return { ...rows, state: rows.state?.filter((row) => !/_version|ranked_at/.test(String(row))) };
}
