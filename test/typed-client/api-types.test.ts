import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readOpenApi } from '../../scripts/read-openapi.ts';
import { renderClientTypes } from '../../scripts/render-client-types.ts';

describe('packages/client/src/generated/api.ts', () => {
  it('has the types of the OpenAPI document (npm run client:types generates them again)', async () => {
    const types = readFileSync(new URL('../../packages/client/src/generated/api.ts', import.meta.url), 'utf8');
    expect(await renderClientTypes(await readOpenApi())).toBe(types);
  });
});
