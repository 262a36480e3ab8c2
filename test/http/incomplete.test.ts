import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { markLoaded } from '../../src/store/state.ts';
import type { Store } from '../../src/store/store.ts';
import { BOB } from '../model/small-history.ts';
import { engines } from '../support/engines.ts';
import { fetchAnswer, type Service } from '../support/service.ts';
import { ServiceFixture } from './support.ts';

describe.each(engines)('before the first load is complete, a lookup on $name', (engine) => {
  const fixture = new ServiceFixture(engine);
  let store: Store;
  let service: Service;
  beforeEach(async () => {
    store = await fixture.open();
    service = await fixture.serve(store);
  });
  afterEach(() => fixture.close());

  const incomplete = async (path: string, init: Parameters<Service['get']>[1] = {}) => {
    const { status, headers } = await service.get(path, init);
    return [status, headers.get('kith-incomplete')];
  };

  it('answers, and says in a header that the graph is incomplete', async () => {
    const path = `/users/${BOB}/followers`;
    expect(await incomplete(path)).toEqual([200, 'loading']);
    expect(await incomplete(path)).toEqual([200, 'loading']);
    expect(await incomplete(path, { method: 'HEAD' })).toEqual([200, 'loading']);
    expect(await incomplete('/lists/1/details')).toEqual([404, 'loading']);
    expect((await fetchAnswer(`${service.url}/status`)).headers.has('kith-incomplete')).toBe(false);
  });

  it('loses the header when the load is complete, also if it is cached', async () => {
    expect(await incomplete('/discover')).toEqual([200, 'loading']);
    await store.transaction(markLoaded);
    expect(await incomplete('/discover')).toEqual([200, null]);
  });
});
