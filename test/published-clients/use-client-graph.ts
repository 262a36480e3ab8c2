import { afterAll, beforeAll } from 'vitest';
import { ServiceFixture } from '../http/support.ts';
import type { Engine } from '../support/engines.ts';
import type { Service } from '../support/service.ts';
import { loadClientGraph, NOW } from './client-graph.ts';

/** Serves the graph of the client tests on a port during the tests of a suite. */
export function useClientGraph(engine: Engine): () => Service {
  const fixture = new ServiceFixture(engine);
  let service: Service;
  beforeAll(async () => {
    const store = await fixture.open();
    await loadClientGraph(store);
    service = await fixture.serve(store, { now: () => NOW * 1000 });
  });
  afterAll(() => fixture.close());
  return () => service;
}
