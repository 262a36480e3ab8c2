import type { TestProjectInlineConfiguration } from 'vitest/config';

export type PartName = 'unit' | 'browser' | 'faults' | 'package' | 'process' | 'store';

interface Part {
  readonly name: PartName;
  readonly files: readonly string[];
  /** Files of this folder that prepare a run. What several parts need is prepared once. */
  readonly setup: readonly string[];
}

const COMMON = ['build.ts', 'start-databases.ts'];

/** A test file belongs to the first part with a pattern that matches it. The last part takes all others. */
const PARTS: readonly Part[] = [
  {
    // Processes that are killed, and sources and databases that fail.
    name: 'faults',
    files: [
      'test/commands/{clean-stop,drain,indexed-pairs,live-sources,open-files,pairs}.test.ts',
      'test/commands/{supervise,verify-repair,workers}.test.ts',
      'test/{faults,recipes}/*.test.ts',
      'test/indexer/{added-contracts-crash,chain-faults,crash,crash-start,database-swap,hostile-node}.test.ts',
      'test/indexer/{lying-node,moved-cursor,provider-faults,simulation,takeover,trust}.test.ts',
      'test/http/{outage,slow-readers}.test.ts',
      'test/live/processes.test.ts',
    ],
    setup: COMMON,
  },
  {
    // EVM nodes and processes of Kith.
    name: 'process',
    files: [
      'test/{commands,deploy,indexer,mcp,release}/*.test.ts',
      'test/docs/{commands,lockfile}.test.ts',
      'test/names/background/refresh-unresolvable.test.ts',
      'test/names/ens/{chain-source*,hostile-answers}.test.ts',
      'test/names/on-demand/*.test.ts',
      'test/rpc/rpc-endpoint.test.ts',
    ],
    setup: COMMON,
  },
  {
    // In this process, without a database server.
    name: 'unit',
    files: [
      'test/{async,config,demo,graph,import,model,protocol,remote,rpc,support}/*.test.ts',
      'test/docs/!(*examples|commands|lockfile).test.ts',
      'test/names/ens/*.test.ts',
      'test/names/{image-url,merge-profile,normalise-name,profile}.test.ts',
      'test/badges/{badge,poap-client}.test.ts',
      'test/live/{filter,position}.test.ts',
      'test/http/{csv,heads,name-components,negotiate,operation-id,parameters,raster-image,response-cache}.test.ts',
      'test/monitoring/dashboard.test.ts',
      'test/typed-client/{client,events}.test.ts',
      'test/web/{freshness,labels}.test.ts',
    ],
    setup: [],
  },
  {
    // Chromium.
    name: 'browser',
    files: ['test/web/*.test.ts', 'test/*/browser.test.ts'],
    setup: ['require-programs.ts', ...COMMON],
  },
  {
    // The packed package, and Prometheus with the configuration in it.
    name: 'package',
    files: ['test/{package,monitoring}/*.test.ts'],
    setup: ['require-programs.ts', ...COMMON],
  },
  {
    // SQLite and PostgreSQL, and what is tested on them.
    name: 'store',
    files: ['test/**/*.test.ts'],
    setup: COMMON,
  },
];

/** Parts as projects of Vitest. */
export function projectsOf(names: readonly PartName[]): TestProjectInlineConfiguration[] {
  const projects = PARTS.map(({ name, files, setup }, index) => ({
    extends: true as const,
    test: {
      name,
      include: [...files],
      exclude: PARTS.slice(0, index).flatMap((earlier) => earlier.files),
      globalSetup: setup.map((file) => `test/support/${file}`),
    },
  }));
  return projects.filter(({ test }) => names.includes(test.name));
}
