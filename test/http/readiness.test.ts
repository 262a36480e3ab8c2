import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claimChain } from '../../src/indexer/claim-chain.ts';
import { deployments } from '../../src/protocol/deployments.ts';
import { markLoaded } from '../../src/store/marks.ts';
import type { Store } from '../../src/store/store.ts';
import { annsList, logsOf } from '../model/small-history.ts';
import { anyEngine } from '../support/engines.ts';
import { loadLogs } from '../support/load.ts';
import { fetchAnswer, type Service } from '../support/service.ts';
import { ServiceFixture } from './support.ts';

describe.each(anyEngine)('readiness on $name', (engine) => {
  const fixture = new ServiceFixture(engine);
  let store: Store;
  let service: Service;
  beforeEach(async () => {
    store = await fixture.open();
    service = await fixture.serve(store);
  });
  afterEach(() => fixture.close());

  const claim = () =>
    store.transaction((tx) => claimChain(tx, { chainId: 10, deployment: deployments.mainnet, startBlock: 1 }));
  const ready = async () => {
    const { status, json } = await fetchAnswer(`${service.url}/ready`);
    return status === 200 ? json.status : json.detail;
  };

  it('is refused while the database is empty', async () => {
    expect(await ready()).toBe('the database is empty: nothing has been indexed or imported yet');
  });

  it('is refused until the chains have been read for the first time', async () => {
    await claim();
    await loadLogs(store, logsOf(annsList));
    const fault = { chain_id: 10, code: 'E_NODE_UNAVAILABLE', message: 'no node', since: 0 };
    await store.transaction((tx) => tx.upsert('chain_faults', [fault]));
    expect(await ready()).toMatch(/^the chains are being read for the first time: chain 10 could not be read since/);
    await store.transaction(markLoaded);
    expect(await ready()).toBe('ready');
  });

  it('stays when a database with imported logs is indexed for the first time', async () => {
    await loadLogs(store, logsOf(annsList));
    expect(await ready()).toBe('ready');
    await claim();
    expect(await ready()).toBe('ready');
  });

  it('is refused while no stored log is in the graph', async () => {
    await loadLogs(store, logsOf(annsList));
    await store.transaction((tx) => tx.count({ unfolded_logs: logsOf(annsList).length }));
    expect(await ready()).toBe('the graph is being computed from the stored logs');
  });
});
