import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { engines } from '../../support/engines.ts';
import { useOwnDatabase } from '../own-database.ts';

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
});
