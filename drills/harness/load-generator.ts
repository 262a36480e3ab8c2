import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { LoadJob, LoadResult } from './load-process.ts';

/** A process of its own: the drill must not delay its probes. */
export interface LoadGenerator {
  run(job: LoadJob): Promise<LoadResult>;
  stop(): void;
}

export function startLoadGenerator(): LoadGenerator {
  const child = fork(fileURLToPath(new URL('./load-process.ts', import.meta.url)));
  return {
    run: (job) =>
      new Promise((resolve, reject) => {
        const fail = () => reject(new Error('the load generator exited'));
        child.once('exit', fail);
        child.once('message', (result) => {
          child.off('exit', fail);
          // Safe: the load process sends such results.
          resolve(result as LoadResult);
        });
        child.send(job);
      }),
    stop: () => void child.kill(),
  };
}
