import { setImmediate, setTimeout } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createChainSource } from '../../../src/names/ens/chain-source.ts';
import { createProfileRefresher } from '../../../src/names/on-demand/profile-refresher.ts';
import type { Address } from '../../../src/protocol/hex.ts';
import { createSourceQueue } from '../../../src/remote/source-queue.ts';
import { blankAccount } from '../../../src/rows/ids.ts';
import { createEndpoint } from '../../../src/rpc/endpoint.ts';
import type { Store } from '../../../src/store/store.ts';
import { useOwnDatabase } from '../../store/own-database.ts';
import { anyEngine } from '../../support/engines.ts';
import { waitFor } from '../../support/wait-for.ts';
import { accountOf, NOW } from '../accounts.ts';
import { profilesOf } from '../background/refresh-setup.ts';
import { createClientOf } from '../ens/client-of.ts';
import { startFakeEnsNode } from '../ens/fake-ens-node.ts';

const LONG_TIMEOUT_MS = 30_000;
const sleep = (ms: number, signal: AbortSignal) => setTimeout(ms, undefined, { signal });
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
      ask: createSourceQueue({
        ...{ name: 'ens', concurrency: 8, callsPerSecond: 1_000, maxWaiting: 100, maxWaitMs: LONG_TIMEOUT_MS },
        ...{ monotonic: () => NOW, logger: { warn: vi.fn() }, metrics: { rejected: vi.fn() } },
      }).ask,
      maxAgeMs: 1,
      deadlineMs: LONG_TIMEOUT_MS,
      sleep,
      now: () => NOW,
      monotonic: () => NOW,
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

  it('queues requested accounts at random if there are more than it can keep, whoever came first', async () => {
    const { store, profiles } = await open();
    const requested = Array.from({ length: 4_000 }, (_, i) => accountOf(1_000 + i));
    await store.transaction((tx) =>
      tx.insert(
        'accounts',
        requested.map((account, i) => blankAccount(i + 1, account)),
      ),
    );
    for (const account of requested) profiles.queue(account);
    await profiles.close();
    const wanted = await store.transaction((tx) => tx.query((db) => db.selectFrom('wanted_profiles').selectAll()));
    const [early, late] = [requested.slice(0, 2_000), requested.slice(2_000)].map(
      (half) => wanted.filter(({ address }) => half.some((account) => account === address)).length,
    );
    expect(wanted).toHaveLength(1_000);
    // Both are 500 on average, with a standard deviation of 14.
    expect(early).toBeGreaterThan(300);
    expect(late).toBeGreaterThan(300);
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
