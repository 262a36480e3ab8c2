import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServiceFixture } from '../http/support.ts';
import { ANN, ANNS, annsList, BOB, follow, logsOf, tag } from '../model/small-history.ts';
import { engines } from '../support/engines.ts';
import { loadLogs } from '../support/load.ts';
import type { Service } from '../support/service.ts';

/** Together far more than fits into an index entry of PostgreSQL. */
const TAGS = Array.from(
  { length: 30 },
  (_, i) => `${i}`.padStart(2, '0') + String.fromCodePoint(0x4e00 + i).repeat(80),
);

describe.each(engines)('a record with many long tags on $name', (engine) => {
  const fixture = new ServiceFixture(engine);
  let service: Service;
  beforeAll(async () => {
    const store = await fixture.open();
    await loadLogs(store, logsOf([...annsList, follow(ANNS, BOB), ...TAGS.map((one) => tag(ANNS, BOB, one))]));
    service = await fixture.serve(store);
  });
  afterAll(() => fixture.close());

  it('is stored, and returned with all of its tags', async () => {
    const { json } = await service.get(`/users/${ANN}/following`);
    expect(json.following).toMatchObject([{ address: BOB, tags: TAGS.toSorted() }]);
  });
});
