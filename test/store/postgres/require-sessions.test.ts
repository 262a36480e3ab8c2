import { describe, expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../../src/store/open-store.ts';
import { requireSessions, TransactionPoolerError } from '../../../src/store/postgres/connection.ts';
import { createTcpProxy } from '../../http/tcp-proxy.ts';
import { engines } from '../../support/engines.ts';
import { startPooler } from '../../support/pooler.ts';
import { useOwnDatabase } from '../own-database.ts';

describe.each(engines.filter(({ name }) => name === 'postgres'))('requireSessions on $name', (engine) => {
  const own = useOwnDatabase({ create: engine.createOwn });

  it('accepts a direct connection and one through a TCP proxy', async () => {
    const proxy = await createTcpProxy(own.database.url);
    onTestFinished(() => proxy.disconnect());
    await requireSessions(own.database.url);
    await requireSessions(proxy.url);
  });

  it.each(['transaction', 'statement'] as const)(
    'makes opening a store behind a pooler in %s mode fail with a coded error that names the mode',
    async (mode) => {
      const pooler = await startPooler(own.database.url, { mode });
      const opened = openStore({ engine: 'postgres', url: pooler.url, poolSize: 2 }, { onError: () => undefined });
      await expect(opened).rejects.toThrow(TransactionPoolerError);
      await expect(opened).rejects.toMatchObject({ code: 'E_TRANSACTION_POOLER' });
      await expect(opened).rejects.toThrow(`a connection pooler in ${mode} mode`);
      await pooler.close();
    },
  );

  it('accepts a pooler in session mode, and names its pool if that is too small', async () => {
    // One connection has the data version.
    const pooler = await startPooler(own.database.url, { mode: 'session', poolSize: 2 });
    const errors: Error[] = [];
    const store = await openStore(
      { engine: 'postgres', url: pooler.url, poolSize: 2 },
      { onError: (error) => errors.push(error) },
    );
    const results = await Promise.allSettled([store.readSize(), store.readSize()]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(errors).toEqual([
      expect.objectContaining({
        code: 'E_DATABASE_UNAVAILABLE',
        message: expect.stringContaining('the pool may be too small: it needs DATABASE_POOL + 10 connections'),
      }),
    ]);
    await store.close();
    await pooler.close();
  });
});
