import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/start-postgres.ts'],
    // Two cores, a database server and child processes: generous, because a limit here says nothing about speed. Workers
    // often wait for such processes, so there is one more of them than cores.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 3,
  },
});
