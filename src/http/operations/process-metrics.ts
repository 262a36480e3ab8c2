import { collectDefaultMetrics, Gauge, type Metric, Registry } from 'prom-client';
import { VERSION } from '../../contract/version.ts';
import type { Store } from '../../store/store.ts';

/** A registry with the metrics that every process has: its build, and Node's own with the prefix `kith_`. */
export function createProcessRegistry(engine: Store['engine'], others: readonly Metric[] = []): Registry {
  const registry = new Registry();
  for (const metric of others) registry.registerMetric(metric);
  new Gauge({
    name: 'kith_build_info',
    help: 'Always 1. The labels are the versions of Kith and Node, and the database engine.',
    labelNames: ['version', 'node', 'engine'],
    registers: [registry],
    // The same in all workers.
    aggregator: 'first',
  }).set({ version: VERSION, node: process.versions.node, engine }, 1);
  collectDefaultMetrics({ register: registry, prefix: 'kith_' });
  // By default it is left out of the sum over the workers. The latest start shows that a worker was restarted.
  Object.assign(registry.getSingleMetric('kith_process_start_time_seconds') ?? {}, { aggregator: 'max' });
  return registry;
}
