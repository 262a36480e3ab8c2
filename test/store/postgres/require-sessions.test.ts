import { describe, expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../../src/store/open-store.ts';
import { requireSessions, TransactionPoolerError } from '../../../src/store/postgres/require-sessions.ts';
import { createTcpProxy } from '../../http/tcp-proxy.ts';
import { engines } from '../../support/engines.ts';
import { startTransactionPooler } from '../../support/transaction-pooler.ts';
import { useOwnDatabase } from '../own-database.ts';

describe.each(engines.filter(({ name }) => name === 'postgres'))('requireSessions on $name', (engine) => {
  const own = useOwnDatabase({ create: engine.createOwn });

  it('accepts a direct connection and one through a TCP proxy', async () => {
    const proxy = await createTcpProxy(own.database.url);
    onTestFinished(() => proxy.disconnect());
    await requireSessions(own.database.url);
    await requireSessions(proxy.url);
  });

  it('makes opening a store behind a pooler in transaction mode fail with a coded error', async () => {
    const pooler = await startTransactionPooler(own.database.url);
    const opened = openStore({ engine: 'postgres', url: pooler.url, poolSize: 2 }, { onError: () => undefined });
    await expect(opened).rejects.toThrow(TransactionPoolerError);
    await expect(opened).rejects.toMatchObject({ code: 'E_TRANSACTION_POOLER' });
    await pooler.close();
  });
});
