import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { importFile } from '../../src/import/import-file.ts';
import { claimChain } from '../../src/indexer/claim-chain.ts';
import { deployments } from '../../src/protocol/deployments.ts';
import type { RawLog } from '../../src/protocol/parse-log.ts';
import { markLoaded } from '../../src/store/state.ts';
import type { Store } from '../../src/store/store.ts';
import { linesOf } from '../commands/import-files.ts';
import { annsList, logsOf } from '../model/small-history.ts';
import { anyEngine } from '../support/engines.ts';
import { loadLogs } from '../support/load.ts';
import { fetchAnswer, type Service } from '../support/service.ts';
import { NOW, ServiceFixture } from './support.ts';

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
  const importLogs = (logs: readonly RawLog[] = logsOf(annsList)) => {
    const stdin = Readable.from([Buffer.from(linesOf(logs))]);
    const { mainnet: deployment } = deployments;
    return importFile('logs', '-', { store, stdin, deployment, now: () => NOW * 1000, onProgress: () => undefined });
  };
  const ready = async () => {
    const { status, json } = await fetchAnswer(`${service.url}/ready`);
    return status === 200 ? json.status : json.detail;
  };

  it('is refused while the database is empty', async () => {
    expect(await ready()).toBe('the database is empty: nothing has been indexed or imported yet');
  });

  it('is refused until the chains have been read for the first time', async () => {
    await claim();
    const fault = { chain_id: 10, code: 'E_NODE_UNAVAILABLE', message: 'no node', since: 0 };
    await store.transaction((tx) => tx.upsert('chain_faults', [fault]));
    expect(await ready()).toMatch(/^the chains are being read for the first time: chain 10 could not be read since/);
    await store.transaction(markLoaded);
    expect(await ready()).toBe('ready');
  });

  it('is refused until all chains have been read, even if one of them is at its head', async () => {
    await claim();
    const cursor = { chain_id: 10, number: 120, hash: '0x01', time: 1, head_number: 120, head_time: 1 };
    await store.transaction((tx) => tx.upsert('cursors', [{ ...cursor, finalized_number: 100, checked_at: 1 }]));
    expect(await ready()).toBe('the chains are being read for the first time');
  });

  it.each(['before', 'after'])('is given by imported logs, %s a chain is indexed for the first time', async (order) => {
    if (order === 'after') await claim();
    await importLogs();
    expect(await ready()).toBe('ready');
    if (order === 'before') await claim();
    expect(await ready()).toBe('ready');
  });

  it('is not given by an empty file of logs', async () => {
    await importLogs([]);
    expect(await ready()).toBe('the database is empty: nothing has been indexed or imported yet');
  });

  it('is refused while no stored log is in the graph', async () => {
    await loadLogs(store, logsOf(annsList));
    await store.transaction((tx) => tx.count({ unfolded_logs: logsOf(annsList).length }));
    expect(await ready()).toBe('the graph is being computed from the stored logs');
  });
});
