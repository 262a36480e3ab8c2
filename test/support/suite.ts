import { defineConfig, type ViteUserConfig } from 'vitest/config';
import { type PartName, projectsOf } from './parts.ts';
import { SlowFirst } from './slow-first.ts';

/** The configuration of a run of these parts. */
export function suiteOf(parts: readonly PartName[]): ViteUserConfig {
  return defineConfig({
    test: {
      projects: projectsOf(parts),
      sequence: { sequencer: SlowFirst },
      // Generous: tests share the machine with a database server, child processes and, in CI, other work.
      testTimeout: 300_000,
      hookTimeout: 300_000,
      expect: { poll: { timeout: 60_000 } },
      // Other work on the machine of CI can starve a process for longer than a test of processes expects. Retries are listed.
      retry: process.env.CI === undefined ? 0 : 1,
      // One more than the two cores of CI: workers often wait, for child processes and for timeouts that are tested.
      maxWorkers: 3,
      // Worker threads run the sources. Node strips types by default since 22.18.
      execArgv: process.features.typescript ? [] : ['--experimental-strip-types'],
      // No module keeps state between tests, except the pool of databases and the EDR context that files of a worker share.
      isolate: false,
    },
  });
}
