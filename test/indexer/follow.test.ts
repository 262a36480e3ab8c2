import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { randomHistory } from '../model/random-history.ts';
import { dump } from '../support/dump.ts';
import { anyEngine, type TestDatabase } from '../support/engines.ts';
import { loadRanks } from '../support/load.ts';
import type { EvmNode } from './evm-node.ts';
import { cleanReplay, indexOnce, play, startChains, startIndexer, untilIndexed } from './harness.ts';

describe.each(anyEngine)('indexing three chains into $name', (engine) => {
  let nodes: EvmNode[];
  let database: TestDatabase;
  let store: Store;

  beforeEach(async () => {
    nodes = await startChains();
    database = await engine.create();
    store = await database.open();
  });
  afterEach(async () => {
    await store.close();
    await database.drop();
    await Promise.all(nodes.map((node) => node.stop()));
  });

  const expectCleanReplay = async () => {
    await loadRanks(store, 0);
    expect(await dump(store)).toEqual(await cleanReplay(engine, nodes));
  };

  it('indexes the existing blocks, then every new block', async () => {
    const history = randomHistory(1, { logs: 300 });
    await play(nodes, history.slice(0, 200));
    const indexer = startIndexer(store, nodes);
    await untilIndexed(store, nodes, indexer);
    await play(nodes, history.slice(200));
    await untilIndexed(store, nodes, indexer);
    await indexer.stop();
    await expectCleanReplay();
  });

  it('resumes from its cursors after a restart', async () => {
    const history = randomHistory(2, { logs: 300 });
    for (const part of [history.slice(0, 100), history.slice(100, 180), history.slice(180)]) {
      await play(nodes, part);
      await indexOnce(store, nodes);
    }
    await expectCleanReplay();
  });
});
