import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../../src/store/open-store.ts';
import { StoreUnavailableError } from '../../../src/store/store.ts';
import { createTcpProxy } from '../../http/tcp-proxy.ts';
import { engines } from '../../support/engines.ts';
import { useOwnDatabase } from '../own-database.ts';
import { list } from '../transaction-script.ts';

describe.each(engines.filter(({ name }) => name === 'postgres'))('a transaction on $name', (engine) => {
  const own = useOwnDatabase({ create: engine.createOwn });

  it('is rejected if the network loses its connection without closing it, and the next one succeeds', async () => {
    const proxy = await createTcpProxy(own.database.url);
    const store = await openStore({ engine: 'postgres', url: proxy.url, poolSize: 2 }, { onError: () => undefined });
    onTestFinished(async () => {
      await store.close();
      await proxy.disconnect();
    });
    const lost = store.transaction(async (tx) => {
      await tx.insert('lists', [list('1')]);
      proxy.stall();
      proxy.resume();
      await tx.insert('lists', [list('2')]);
    });
    await expect(lost).rejects.toThrow(StoreUnavailableError);
    // The server still has the session of the lost connection, which holds the writer lock until the proxy closes it.
    await proxy.disconnect();
    await proxy.reconnect();
    await store.transaction((tx) => tx.insert('lists', [list('3')]));
    const rows = await store.transaction((tx) => tx.query((db) => db.selectFrom('lists').select('token_id')));
    expect(rows).toEqual([{ token_id: '3' }]);
  });

  it('is not rejected while the server runs a long statement', async () => {
    const store = await own.open();
    // Longer than the interval of the checks.
    await store.transaction((tx) => tx.query((db) => db.selectNoFrom(sql<void>`pg_sleep(6)`.as('slept'))));
  });
});
