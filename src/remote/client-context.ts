import { AsyncLocalStorage } from 'node:async_hooks';

const storage = new AsyncLocalStorage<() => string>();

/** Runs work on behalf of a client, whose share of the call budgets it uses. */
export function asClient<T>(keyOf: () => string, work: () => T): T {
  return storage.run(keyOf, work);
}

/** Identifies the client; undefined for work that no client has asked for. */
export function currentClient(): string | undefined {
  return storage.getStore()?.();
}
