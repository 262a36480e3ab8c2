import { sql } from 'kysely';
import pg from 'pg';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { runPostgresTransaction } from '../../../src/store/postgres/transaction.ts';
import { StoreUnavailableError } from '../../../src/store/store.ts';
import { engines } from '../../support/engines.ts';
import { useOwnDatabase } from '../own-database.ts';
import { block } from '../transaction-script.ts';

describe.each(engines.filter(({ name }) => name === 'postgres'))('a transaction on $name', (engine) => {
  const own = useOwnDatabase(engine);

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
    const other = new pg.Client({ connectionString: own.database.url });
    await other.connect();
    onTestFinished(() => other.end());
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
    const [holder, other] = [0, 1].map(() => new pg.Client({ connectionString: own.database.url })) as [
      pg.Client,
      pg.Client,
    ];
    for (const client of [holder, other]) {
      await client.connect();
      onTestFinished(() => client.end());
    }
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

  it('names the session that is writing when the wait for it ends', async () => {
    const { url } = own.database;
    const connect = (application_name: string) => {
      const pool = new pg.Pool({ connectionString: url, application_name, options: '-c lock_timeout=50ms' });
      onTestFinished(() => pool.end());
      return pool;
    };
    const ignore = () => undefined;
    const [first, second] = [connect('kith import'), connect('kith demo')];
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

/** Ends a session of the server as soon as it waits for a lock. */
async function endWhenWaiting(client: pg.Client, pid: number | undefined): Promise<void> {
  await vi.waitUntil(async () => {
    const waiting =
      "select pg_terminate_backend(pid) from pg_stat_activity where pid = $1 and wait_event_type = 'Lock'";
    return (await client.query(waiting, [pid])).rowCount === 1;
  }, 10_000);
}
