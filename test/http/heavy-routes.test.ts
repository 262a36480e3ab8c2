import { afterAll, describe, expect, it } from 'vitest';
import type { Reader } from '../../src/store/store.ts';
import { anyEngine } from '../support/engines.ts';
import { ServiceFixture } from './support.ts';

describe.each(anyEngine)('the heavy lane on $name', (engine) => {
  const fixture = new ServiceFixture(engine);
  afterAll(() => fixture.close());

  it('runs the leaderboard in ascending order, whose first page may have many ties', async () => {
    const store = await fixture.open();
    let queries = 0;
    const { reader } = store.heavy;
    const all: Reader['all'] = (statement, params) => {
      queries += 1;
      return reader.all(statement, params);
    };
    const service = await fixture.serve({ ...store, heavy: { ...store.heavy, reader: { ...reader, all } } });
    const path = '/leaderboard/ranked?sort=followers';
    expect((await service.get(path)).status).toBe(200);
    expect(queries).toBe(0);
    expect((await service.get(`${path}&direction=asc`)).status).toBe(200);
    expect(queries).toBeGreaterThan(0);
  });
});
