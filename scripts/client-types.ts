import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../src/store/open-store.ts';
import { fetchAnswer, startService } from '../test/support/service.ts';
import { renderClientTypes } from './render-client-types.ts';

// Rewrites the types of the client from the OpenAPI document: npm run client:types
const folder = await mkdtemp(join(tmpdir(), 'kith-types-'));
const onError = (error: Error) => {
  throw error;
};
const store = await openStore({ engine: 'sqlite', path: join(folder, 'kith.db') }, { onError });
const service = await startService(store);
try {
  const { json } = await fetchAnswer(`${service.url}/openapi.json`);
  await writeFile(new URL('../src/client/api.ts', import.meta.url), await renderClientTypes(json));
} finally {
  await service.close();
  await store.close();
  await rm(folder, { recursive: true });
}
