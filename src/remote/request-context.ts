import { AsyncLocalStorage } from 'node:async_hooks';

/** The request that work is done for. */
interface RequestContext {
  /** Identifies the client. */
  readonly clientOf: () => string;
  /** By `performance.now()`. */
  readonly since: number;
}

const storage = new AsyncLocalStorage<RequestContext>();

/** Returns a function that runs work on behalf of a client, within the time of one request. */
export function createRequestContext(clientOf: () => string): <T>(work: () => T) => T {
  const context = { clientOf, since: performance.now() };
  return (work) => storage.run(context, work);
}

/** Empty for work that no client has asked for. */
export function currentClient(): string {
  return storage.getStore()?.clientOf() ?? '';
}

/** What the current request has left of the `ms` that it may wait for sources in all. */
export function timeLeft(ms: number): number {
  const context = storage.getStore();
  return context === undefined ? ms : Math.max(context.since + ms - performance.now(), 0);
}
