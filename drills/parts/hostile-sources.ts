import type { Drill } from '../drill.ts';
import { type HostileCase, runCase } from './hostile-sources/case.ts';
import { clientCases } from './hostile-sources/clients.ts';
import { clockCases } from './hostile-sources/clock.ts';
import { gatewayCases } from './hostile-sources/gateway.ts';
import { nodeCases } from './hostile-sources/node.ts';
import { resolverCases } from './hostile-sources/resolver.ts';
import { snapshotCases } from './hostile-sources/snapshot.ts';

const CASES: readonly HostileCase[] = [
  ...resolverCases,
  ...gatewayCases,
  ...nodeCases,
  ...snapshotCases,
  ...clockCases,
  ...clientCases,
];

export const hostileSources: Drill = {
  name: 'hostile-sources',
  title: 'Hostile resolvers, gateways, nodes, snapshots, clocks and clients, one after the other',
  limitMinutes: 20,
  async run(trial) {
    const bars = [];
    for (const one of CASES.filter(({ isSlow }) => !trial.isQuick || !isSlow)) {
      const bar = await runCase(one, trial);
      trial.log(`${bar.isReached ? 'passed' : 'FAILED'}  ${bar.what}: ${bar.measured}`);
      bars.push(bar);
    }
    return bars;
  },
};
