import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../src/store/open-store.ts';
import { fetchAnswer, startService } from '../test/support/service.ts';

/** The OpenAPI document of a server on an empty database. Its type is `any`, like that of all parsed answers. */
export async function readOpenApi() {
  const folder = await mkdtemp(join(tmpdir(), 'kith-openapi-'));
  const onError = (error: Error) => {
    throw error;
  };
  const store = await openStore({ engine: 'sqlite', path: join(folder, 'kith.db') }, { onError });
  const service = await startService(store);
  try {
    return (await fetchAnswer(`${service.url}/openapi.json`)).json;
  } finally {
    await service.close();
    await store.close();
    await rm(folder, { recursive: true });
  }
}
