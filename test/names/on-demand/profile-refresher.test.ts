import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createChainSource } from '../../../src/names/ens/chain-source.ts';
import { createProfileRefresher } from '../../../src/names/on-demand/profile-refresher.ts';
import type { Address } from '../../../src/protocol/hex.ts';
import { createLimiter } from '../../../src/remote/limiter.ts';
import { createEndpoint } from '../../../src/rpc/endpoint.ts';
import type { Store } from '../../../src/store/store.ts';
import { useOwnDatabase } from '../../store/own-database.ts';
import { anyEngine } from '../../support/engines.ts';
import { waitFor } from '../../support/wait-for.ts';
import { accountOf, NOW } from '../accounts.ts';
import { profilesOf } from '../background/refresh-setup.ts';
import { createClientOf } from '../ens/ens-node.ts';
import { startFakeEnsNode } from '../ens/fake-ens-node.ts';

const LONG_TIMEOUT_MS = 30_000;
const accounts = Array.from({ length: 12 }, (_, index) => accountOf(100 + index));

describe.each(anyEngine)('createProfileRefresher on $name', (engine) => {
  const own = useOwnDatabase(engine);

  async function open(through: (store: Store) => Pick<Store, 'reader' | 'transaction'> = (store) => store) {
    const store = await own.open();
    const node = await startFakeEnsNode();
    onTestFinished(node.stop);
    for (const [index, account] of accounts.entries()) node.addName(`n${index}.eth`, account);
    const warn = vi.fn();
    const ending = new AbortController();
    const { signal } = ending;
    const profiles = createProfileRefresher({
      store: through(store),
      source: createChainSource({
        client: createClientOf(createEndpoint({ url: node.url, fetch, timeoutMs: LONG_TIMEOUT_MS, signal })),
        ccip: null,
        now: () => NOW,
      }),
      gateways: { ipfs: 'https://ipfs.example', arweave: 'https://ar.example', network: 'mainnet' },
      limiter: createLimiter('ens', 8, 100),
      maxAgeMs: 1,
      deadlineMs: LONG_TIMEOUT_MS,
      now: () => NOW,
      logger: { info: vi.fn(), warn },
    });
    return { store, node, profiles, warn, ending };
  }
  const renewAll = (renew: (account: Address) => Promise<void>) => Promise.all(accounts.map(renew));

  it('stores all refreshed profiles', async () => {
    const { store, profiles } = await open();
    await renewAll(profiles.renew);
    expect((await profilesOf(store)).size).toBe(accounts.length);
  });

  it('writes one profile at a time, so that waiting writes hold at most one connection', async () => {
    let [writing, maxWriting] = [0, 0];
    const { store, profiles } = await open(({ reader, transaction }) => ({
      reader,
      async transaction(work) {
        writing += 1;
        maxWriting = Math.max(maxWriting, writing);
        await setImmediate();
        return transaction(work).finally(() => {
          writing -= 1;
        });
      },
    }));
    await renewAll(profiles.renew);
    expect([maxWriting, (await profilesOf(store)).size]).toEqual([1, accounts.length]);
  });

  it('resolves and logs a warning if the database is read-only', async () => {
    const { store, profiles, warn } = await open(({ reader }) => ({
      reader,
      transaction: () => Promise.reject(new Error('read-only')),
    }));
    await renewAll(profiles.renew);
    profiles.queue(accountOf(1));
    await profiles.close();
    expect((await profilesOf(store)).size).toBe(0);
    expect(warn).toHaveBeenCalled();
  });

  it('aborts requests on shutdown while the source hangs', async () => {
    const { node, profiles, ending } = await open();
    node.faultOf = () => 'hang';
    const renewing = renewAll(profiles.renew);
    await waitFor(() => expect(node.requests).toHaveLength(8));
    ending.abort();
    await profiles.close();
    await renewing;
    expect(node.requests).toHaveLength(8);
  });
});
