import { writeFile } from 'node:fs/promises';
import { readOpenApi } from './read-openapi.ts';
import { renderClientTypes } from './render-client-types.ts';

// Rewrites the types of the client from the OpenAPI document: npm run client:types
await writeFile(
  new URL('../packages/client/src/generated/api.ts', import.meta.url),
  await renderClientTypes(await readOpenApi()),
);
