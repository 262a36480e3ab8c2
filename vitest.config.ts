import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/start-postgres.ts'],
    // Two cores, a database server and child processes: generous, because a limit here says nothing about speed.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // One more than cores, for they often wait for processes of their own.
    maxWorkers: 3,
    // Nothing in the code remembers what a test did, and loading all of it for every file takes minutes.
    isolate: false,
  },
});
