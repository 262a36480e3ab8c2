import { afterAll, beforeAll } from 'vitest';
import { Stage } from '../http/support.ts';
import type { Engine } from '../support/engines.ts';
import type { Service } from '../support/service.ts';
import { loadClientGraph, NOW } from './client-graph.ts';

/** Serves the graph of the client tests on a port during the tests of a suite. */
export function useClientGraph(engine: Engine): () => Service {
  const stage = new Stage(engine);
  let service: Service;
  beforeAll(async () => {
    const store = await stage.open();
    await loadClientGraph(store);
    service = await stage.serve(store, { now: () => NOW * 1000 });
  });
  afterAll(() => stage.close());
  return () => service;
}
