import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { renderClientTypes } from '../../scripts/render-client-types.ts';
import { ServiceFixture } from '../http/support.ts';
import { anyEngine } from '../support/engines.ts';
import { fetchAnswer } from '../support/service.ts';

describe.each(anyEngine)('src/client/api.ts, compared with a service on $name,', (engine) => {
  const fixture = new ServiceFixture(engine);
  afterAll(() => fixture.close());

  it('has the types of the OpenAPI document (npm run client:types generates them again)', async () => {
    const { url } = await fixture.serve(await fixture.open());
    const { json } = await fetchAnswer(`${url}/openapi.json`);
    const types = readFileSync(new URL('../../src/client/api.ts', import.meta.url), 'utf8');
    expect(await renderClientTypes(json)).toBe(types);
  });
});
