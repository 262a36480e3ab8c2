import { describe, expect, it } from 'vitest';
import { claimChain } from '../../src/indexer/claim-chain.ts';
import { deployments } from '../../src/protocol/deployments.ts';
import { markLoaded } from '../../src/store/state.ts';
import type { Store } from '../../src/store/store.ts';
import { NOW } from '../http/support.ts';
import { ANN, ANNS, annsList, BOB, BOBS, bobsList, follow, logsOf } from '../model/small-history.ts';
import { loadLogs, loadRanks } from '../support/load.ts';
import { panelOf, textOf } from './read-page.ts';
import { useExplorer } from './use-explorer.ts';

const LOADING = 'Loading, 25 %, about 2 hours left.';
/** What pages say of a graph that is complete. */
const COMPLETE = /empty|nobody|no followers|nothing|not on the leaderboard|there is no list|no account holds/i;

/** What the indexer writes while it reads Base for the first time. */
async function beginLoad(store: Store): Promise<void> {
  const cursor = { chain_id: 8453, number: 1_249, hash: '0x01', time: NOW - 600, finalized_number: 1_990 };
  await store.transaction(async (tx) => {
    await claimChain(tx, { chainId: 8453, deployment: deployments.mainnet, startBlock: 1_000 });
    const checked_at = NOW * 1000;
    await tx.upsert('cursors', [{ ...cursor, head_number: 1_999, head_time: NOW, checked_at }]);
    await tx.upsert('state', [{ key: 'load_ends_at', value: checked_at + 7_200_000 }]);
  });
}

describe('during the first load, the explorer', () => {
  const explorer = useExplorer({ isEmpty: true, load: beginLoad });

  it.each(['/', '/leaderboard', `/account/${ANN}`, '/list/0'])(
    'says on %s how far it is, and of nothing that it is empty',
    async (path) => {
      const page = await explorer().open(path);
      await page.getByRole('status').filter({ hasText: LOADING }).waitFor();
      await page.getByRole('main').getByText(LOADING).first().waitFor();
      await page.waitForLoadState('networkidle');
      expect(await textOf(page.getByRole('main'))).not.toMatch(COMPLETE);
    },
  );

  it('says that names are not resolved, and not that nobody holds one', async () => {
    const page = await explorer().open('/account/nobody.eth');
    const text = await textOf(page.getByRole('main').getByRole('alert'));
    expect(text).toBe('This service does not resolve names, and no stored profile has the name nobody.eth.');
  });

  it('shows the chains that are not indexed', async () => {
    const page = await explorer().open('/network');
    const chains = panelOf(page, 'Chains').getByRole('article');
    await chains.first().waitFor();
    expect(await Promise.all((await chains.all()).map(async (chain) => (await textOf(chain)).split('.')[0]))).toEqual([
      'Ethereum not read This service reads no node of the chain',
      'OP Mainnet not read This service reads no node of the chain',
      expect.stringMatching(/^Base 10 min behind/),
    ]);
  });
});

describe('when the first load is complete, the explorer', () => {
  let store: Store;
  const explorer = useExplorer({
    isEmpty: true,
    load: async (opened) => {
      store = opened;
      await beginLoad(store);
    },
  });

  it('shows what was loaded without a reload', async () => {
    const home = await explorer().open('/');
    const list = await explorer().open('/list/0');
    for (const page of [home, list]) await page.getByRole('main').getByText(LOADING).first().waitFor();
    await loadLogs(store, logsOf([...annsList, ...bobsList, follow(ANNS, BOB), follow(BOBS, ANN)]));
    await loadRanks(store, NOW * 1000);
    await store.transaction(markLoaded);
    await panelOf(home, 'Most followed').getByRole('listitem').first().waitFor();
    await panelOf(list, 'About the list')
      .getByRole('link', { name: `${ANN.slice(0, 6)}…` })
      .first()
      .waitFor();
    for (const page of [home, list]) expect(await page.getByText(/^Loading,/).count()).toBe(0);
  });
});
