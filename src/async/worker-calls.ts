import { parentPort, type Worker } from 'node:worker_threads';

/** The methods that a worker thread offers. Arguments and results are cloned. */
type Methods<M> = { readonly [K in keyof M]: (...args: never[]) => unknown };

interface Call {
  readonly id: number;
  readonly method: PropertyKey;
  readonly args: readonly unknown[];
}

type Reply = { readonly id: number } & (
  | { readonly result: unknown }
  | { readonly error: { readonly message: string; readonly code: unknown } }
);

export interface WorkerClient<M extends Methods<M>> {
  /** Rejects with the error of the method, or if the thread has exited. */
  call<K extends keyof M>(method: K, ...args: Parameters<M[K]>): Promise<ReturnType<M[K]>>;
  hasExited(): boolean;
  stop(): Promise<void>;
}

/** Calls the methods that `worker` passes to `answerCalls`. `name` is for the error of a thread that has exited. */
export function createWorkerClient<M extends Methods<M>>(worker: Worker, name: string): WorkerClient<M> {
  const pending = new Map<number, Pick<PromiseWithResolvers<unknown>, 'resolve' | 'reject'>>();
  let nextId = 1;
  let failure: Error | undefined;
  worker.on('message', (reply: Reply) => {
    const call = pending.get(reply.id);
    pending.delete(reply.id);
    if ('result' in reply) call?.resolve(reply.result);
    else call?.reject(Object.assign(new Error(reply.error.message), { code: reply.error.code }));
  });
  const fail = (error: Error) => {
    failure ??= error;
    for (const { reject } of pending.values()) reject(failure);
    pending.clear();
  };
  worker.on('error', fail);
  worker.on('exit', (code) => fail(new Error(`${name} exited with code ${code}`)));
  return {
    call: (method, ...args) =>
      new Promise((resolve, reject) => {
        if (failure !== undefined) return reject(failure);
        const id = nextId++;
        // Safe: the reply has what the method returned.
        pending.set(id, { resolve: resolve as (result: unknown) => void, reject });
        worker.postMessage({ id, method, args } satisfies Call);
      }),
    hasExited: () => failure !== undefined,
    async stop() {
      await worker.terminate();
    },
  };
}

/**
 * In a worker thread: runs the calls of its client in the order in which they were sent. The first one creates the methods,
 * so that a failure is its reply: an uncaught error would lose its code.
 */
export function answerCalls<M extends Methods<M>>(create: () => M): void {
  let methods: M | undefined;
  const port = parentPort;
  if (port === null) throw new Error('this file must run as a worker thread');
  const answer = ({ id, method, args }: Call): Reply => {
    try {
      methods ??= create();
      // Safe: the client calls a method of `M` with its arguments.
      return { id, result: methods[method as keyof M](...(args as never[])) };
    } catch (error) {
      const { message, code } = error as Error & { code?: unknown };
      return { id, error: { message, code } };
    }
  };
  port.on('message', (call: Call) => port.postMessage(answer(call)));
}
