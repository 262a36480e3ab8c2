import { defineConfig } from 'vitest/config';
import { projects } from './test/support/parts.ts';
import { SlowFirst } from './test/support/slow-first.ts';

export default defineConfig({
  test: {
    projects,
    sequence: { sequencer: SlowFirst },
    // Generous: tests share the machine with a database server, child processes and, in CI, other work.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    // One more than the two cores of CI: workers often wait for child processes.
    maxWorkers: 3,
    // Worker threads run the sources. Node strips types by default since 22.18.
    execArgv: process.features.typescript ? [] : ['--experimental-strip-types'],
    // No module keeps state between tests, except the pool of databases and the EDR context that files of a worker share.
    isolate: false,
  },
});
