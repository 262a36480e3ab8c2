import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Watched, WatchMessage } from './watch-process.ts';

/** Measures processes from a process of its own, which the work of the drill does not delay. */
export interface Watch {
  /** Counts the memory of a process and its child processes from now on. */
  add(pid: number): Promise<void>;
  stop(): Promise<Watched>;
}

export async function startWatch(pid: number, ports: readonly number[]): Promise<Watch> {
  const child: ChildProcess = fork(fileURLToPath(new URL('./watch-process.ts', import.meta.url)));
  const ask = async (message: WatchMessage) => {
    const answered = once(child, 'message');
    child.send(message);
    return (await answered)[0];
  };
  const add = (added: number) => ask({ kind: 'add', pid: added });
  await add(pid);
  child.send({ kind: 'start', ports } satisfies WatchMessage);
  return {
    add,
    async stop() {
      // Safe: the process answers with these.
      const watched = (await ask({ kind: 'stop' })) as Watched;
      child.kill();
      return watched;
    },
  };
}
