import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { createWorkerClient, type WorkerClient } from '../../async/worker-calls.ts';

export interface CardMethods {
  /** Returns a PNG. */
  render(svg: string): Uint8Array;
}

/** Compiled or, in tests, the source. */
const WORKER_FILE = new URL(`./card-worker${extname(import.meta.url)}`, import.meta.url);

/** A thread that draws pictures, which takes some 50 ms of CPU each. The first call starts it. */
export function createCardThread() {
  let thread: WorkerClient<CardMethods> | undefined;
  const start = () => createWorkerClient<CardMethods>(new Worker(WORKER_FILE), 'the thread of pictures');
  return {
    async render(svg: string): Promise<Buffer> {
      if (thread === undefined || thread.hasExited()) thread = start();
      return Buffer.from(await thread.call('render', svg));
    },
    stop: async () => thread?.stop(),
  };
}
