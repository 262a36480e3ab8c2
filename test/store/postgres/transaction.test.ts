import { Readable } from 'node:stream';
import { sql } from 'kysely';
import pg from 'pg';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { importFile } from '../../../src/import/import-file.ts';
import { deployments } from '../../../src/protocol/deployments.ts';
import { runPostgresTransaction } from '../../../src/store/postgres/transaction.ts';
import { type Store, StoreUnavailableError, type Transaction } from '../../../src/store/store.ts';
import { engines } from '../../support/engines.ts';
import { useOwnDatabase } from '../own-database.ts';
import { badge, badges, block } from '../transaction-script.ts';

describe.each(engines.filter(({ name }) => name === 'postgres'))('a transaction on $name', (engine) => {
  const own = useOwnDatabase(engine);
  const connect = async () => {
    const client = new pg.Client({ connectionString: own.database.url });
    await client.connect();
    onTestFinished(() => client.end());
    return client;
  };

  it('lets the server close the connection of a client that has vanished', async () => {
    const store = await own.open();
    const names = ['tcp_keepalives_idle', 'tcp_keepalives_interval', 'tcp_keepalives_count', 'tcp_user_timeout'];
    const settings = await store.transaction((tx) =>
      tx.query((db) => db.selectNoFrom(names.map((name) => sql<string>`current_setting(${sql.lit(name)})`.as(name)))),
    );
    // Only Linux has the last one.
    const userTimeout = process.platform === 'linux' ? '25000' : '0';
    expect(settings.map(Object.values)).toEqual([['10', '5', '3', userTimeout]]);
  });

  it('reports a connection that is lost before many rows are inserted, and keeps none of them', async () => {
    const store = await own.open();
    const other = await connect();
    const rows = Array.from({ length: 1_000 }, (_, i) => block(1, i));
    const writing = store.transaction(async (tx) => {
      await tx.insert('blocks', rows);
      const [session] = await tx.query((db) => db.selectNoFrom(sql<number>`pg_backend_pid()`.as('pid')));
      await other.query('select pg_terminate_backend($1, 10000)', [session?.pid]);
      await tx.insert(
        'blocks',
        rows.map((row) => ({ ...row, chain_id: 2 })),
      );
    });
    await expect(writing).rejects.toBeInstanceOf(StoreUnavailableError);
    expect(await store.transaction((tx) => tx.query((db) => db.selectFrom('blocks').selectAll()))).toEqual([]);
  });

  it('reports a connection that is lost while many rows are inserted, and keeps none of them', async () => {
    const store = await own.open();
    const [holder, other] = [await connect(), await connect()];
    // The insert has sent all rows and waits for this one.
    await holder.query('begin');
    await holder.query("insert into blocks (chain_id, number, hash, time) values (1, 999, '0x', 0)");
    let ended: Promise<unknown> | undefined;
    const writing = store.transaction(async (tx) => {
      const [session] = await tx.query((db) => db.selectNoFrom(sql<number>`pg_backend_pid()`.as('pid')));
      ended = endWhenWaiting(other, session?.pid);
      await tx.insert(
        'blocks',
        Array.from({ length: 1_000 }, (_, i) => block(1, i)),
      );
    });
    await expect(writing).rejects.toBeInstanceOf(StoreUnavailableError);
    await ended;
    await holder.query('rollback');
    expect(await store.transaction((tx) => tx.query((db) => db.selectFrom('blocks').selectAll()))).toEqual([]);
  });

  describe('that the server rolls back because of another session', () => {
    const written = async (store: Store) => (await store.transaction(badges)).map(({ address }) => address);

    it('runs again after a deadlock', async () => {
      const store = await own.open();
      const other = await connect();
      await store.transaction((tx) => tx.insert('badges', [badge('first'), badge('second')]));
      await other.query("set deadlock_timeout = '1min'");
      await other.query("begin; update badges set checked_at = 1 where address = 'second'");
      let runs = 0;
      let waiting: Promise<unknown> | undefined;
      await store.transaction(async (tx) => {
        runs += 1;
        await tx.upsert('badges', [badge('first', `run ${runs}`)]);
        await tx.insert('badges', [badge(`of run ${runs}`)]);
        waiting ??= other.query("update badges set checked_at = 1 where address = 'first'; commit");
        await tx.upsert('badges', [badge('second', `run ${runs}`)]);
      });
      await waiting;
      expect([runs, await written(store)]).toEqual([2, ['first', 'of run 2', 'second']]);
      // The writes of the other session are committed in between.
      const rows = await store.transaction(badges);
      expect(rows.map(({ collection }) => collection)).toEqual(['run 2', null, 'run 2']);
    });

    it('runs again after a serialisation failure, five times in all', async () => {
      const store = await own.open();
      const other = await connect();
      await failBefore(other, 5);
      await store.transaction((tx) => tx.insert('badges', [badge('kept')]));
      expect(await written(store)).toEqual(['kept']);
      await failBefore(other, 6);
      await expect(store.transaction((tx) => tx.insert('badges', [badge('lost')]))).rejects.toMatchObject({
        code: 'E_DATABASE_UNAVAILABLE',
        message: 'another session of the database is in the way: a conflict',
      });
      expect(await written(store)).toEqual(['kept']);
      expect((await other.query('select last_value::int from runs')).rows).toEqual([{ last_value: 5 }]);
    });

    it('does not import the rest of a stream that was read', async () => {
      const store = await own.open();
      await failBefore(await connect(), 2);
      const line = { owner: `0x${'a'.repeat(40)}`, tokenId: '1', event: { id: 1, year: 2020 } };
      const stdin = Readable.from([Buffer.from(`${JSON.stringify(line)}\n`)]);
      const options = { store, stdin, deployment: deployments.mainnet, now: Date.now, onProgress: () => undefined };
      await expect(importFile('badges', '-', options)).rejects.toBeInstanceOf(StoreUnavailableError);
      expect(await written(store)).toEqual([]);
    });
  });

  it('sees what was committed while it waited, whatever the isolation level of the database', async () => {
    const store = await own.open();
    const other = await connect();
    const name = new URL(own.database.url).pathname.slice(1);
    await other.query(`alter database "${name}" set default_transaction_isolation = 'serializable'`);
    const pool = new pg.Pool({ connectionString: own.database.url });
    onTestFinished(() => pool.end());
    let waiting: Promise<string[]> | undefined;
    await store.transaction(async (tx) => {
      const [session] = await tx.query((db) => db.selectNoFrom(sql<number>`pg_backend_pid()`.as('pid')));
      const read = async (second: Transaction) => (await badges(second)).map(({ address }) => address);
      waiting = runPostgresTransaction(pool, read, () => undefined);
      await vi.waitUntil(async () => {
        const blocked = 'select 1 from pg_stat_activity where $1 = any (pg_blocking_pids(pid))';
        return (await other.query(blocked, [session?.pid])).rowCount === 1;
      }, 10_000);
      await tx.insert('badges', [badge('first')]);
    });
    expect(await waiting).toEqual(['first']);
  });

  it('names the session that is writing when the wait for it ends', async () => {
    const { url } = own.database;
    const createPool = (application_name: string) => {
      const pool = new pg.Pool({ connectionString: url, application_name, options: '-c lock_timeout=50ms' });
      onTestFinished(() => pool.end());
      return pool;
    };
    const ignore = () => undefined;
    const [first, second] = [createPool('kith import'), createPool('kith demo')];
    await runPostgresTransaction(
      first,
      async () => {
        const waiting = runPostgresTransaction(second, async () => undefined, ignore);
        await expect(waiting).rejects.toMatchObject({
          code: 'E_DATABASE_UNAVAILABLE',
          message: expect.stringMatching(/^the database is locked: kith import \(session \d+\) is writing; retry/),
        });
      },
      ignore,
    );
    await runPostgresTransaction(second, async () => undefined, ignore);
  });
});

/** Makes inserts of badges fail with a serialisation failure until their transaction runs for the nth time. */
async function failBefore(client: pg.Client, run: number): Promise<void> {
  // The values of a sequence are not rolled back.
  await client.query(`drop sequence if exists runs; create sequence runs;
    create or replace function fail() returns trigger language plpgsql as $$ begin
      if nextval('runs') < ${run} then raise 'a conflict' using errcode = '40001'; end if; return null; end $$;
    create or replace trigger fail before insert on badges for each statement execute function fail()`);
}

/** Ends a session of the server as soon as it waits for a lock. */
async function endWhenWaiting(client: pg.Client, pid: number | undefined): Promise<void> {
  await vi.waitUntil(async () => {
    const waiting =
      "select pg_terminate_backend(pid) from pg_stat_activity where pid = $1 and wait_event_type = 'Lock'";
    return (await client.query(waiting, [pid])).rowCount === 1;
  }, 10_000);
}
