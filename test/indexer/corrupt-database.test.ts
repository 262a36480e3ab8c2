import { open } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CorruptDatabaseError } from '../../src/store/store.ts';
import { annsList, bobsList, logsOf } from '../model/small-history.ts';
import { useOwnDatabase, withStore } from '../store/own-database.ts';
import { queryDatabase } from '../store/query-database.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { fetchAnswer, startService } from '../support/service.ts';
import type { EvmNode } from './evm-node.ts';
import { CHAINS, indexOnce, play, startChains, startIndexer } from './harness.ts';

const PAGE = 4096;

describe.each(engines)('an indexer that meets a damaged page on $name', (engine) => {
  const own = useOwnDatabase({ create: engine.createOwn });
  let nodes: EvmNode[];
  beforeAll(async () => {
    nodes = await startChains();
    await play(nodes, logsOf(annsList));
  });
  afterAll(async () => {
    for (const node of nodes) await node.stop();
  });

  it('ends, and a process that serves and does not read the page names it as the fault of the chains', async () => {
    await withStore(own.database, (store) => indexOnce(store, nodes));
    await damageLogsOf(own.database);
    await play(nodes, logsOf(bobsList));
    const [store, serving] = [await own.open(), await own.open()];
    const service = await startService(serving);
    const indexer = startIndexer(store, nodes);
    await expect(indexer.ended).rejects.toBeInstanceOf(CorruptDatabaseError);
    const { json } = await fetchAnswer(`${service.url}/status`);
    await service.close();
    const fault = { code: 'E_DATABASE_CORRUPT', message: expect.stringContaining('restore a backup') };
    expect(json.faults).toMatchObject(CHAINS.toSorted((a, b) => a - b).map((chainId) => ({ chainId, ...fault })));
  });
});

/** On PostgreSQL by a trigger that fails as a damaged page does: a page is damaged only while its server is stopped. */
async function damageLogsOf(database: TestDatabase): Promise<void> {
  const [, path] = /^sqlite:(.*)$/.exec(database.url) ?? [];
  if (path === undefined) {
    await queryDatabase(
      database,
      `create function fail() returns trigger language plpgsql as
         $$ begin raise exception 'invalid page in block 0' using errcode = 'XX001'; end $$;
       create trigger damaged before insert on logs for each statement execute function fail()`,
    );
    return;
  }
  const [root] = (await queryDatabase(database, "select rootpage from sqlite_schema where name = 'logs'")) as [
    { rootpage: number },
  ];
  const file = await open(path, 'r+');
  await file.write(Buffer.alloc(PAGE, 0x5a), 0, PAGE, (root.rootpage - 1) * PAGE);
  await file.close();
}
