import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadDemo } from '../../src/demo/load-demo.ts';
import { openStore } from '../../src/store/open-store.ts';
import { type Service, startService } from '../support/service.ts';

/** The service on the demo graph that `npm start` generates. `now` is in Unix milliseconds. */
export async function startDemoService(now: () => number = Date.now): Promise<Service> {
  const folder = await mkdtemp(join(tmpdir(), 'kith-docs-'));
  const onError = (error: Error) => {
    throw error;
  };
  const store = await openStore({ engine: 'sqlite', path: join(folder, 'kith.db') }, { onError });
  const pictures = 'http://127.0.0.1:3000';
  await loadDemo(store, { accounts: 1000, seed: 1, now: Math.floor(now() / 1000), pictures }, () => undefined);
  const service = await startService(store, { now });
  return {
    ...service,
    async close() {
      await service.close();
      await store.close();
      await rm(folder, { recursive: true });
    },
  };
}
