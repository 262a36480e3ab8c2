import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { IS_LOADED } from '../../src/lookup/status.ts';
import type { Statement } from '../../src/store/statement.ts';
import type { Reader, Store } from '../../src/store/store.ts';

/** Blocks the results of all queries until it is opened. */
export interface QueryGate {
  readonly store: Store;
  /** Number of queries that were started. */
  readonly queries: number;
  /** If set, every query fails with it. */
  failure: Error | undefined;
  /** Resolves when the first query has read its rows. */
  readonly reached: Promise<void>;
  /** Resolves when `count` more cache misses have started their query or joined one that is in flight. */
  misses(count: number): Promise<void>;
  open(): void;
}

/** Wraps a store: queries read their rows at once, and return them after the gate is opened. */
export function createQueryGate(store: Store): QueryGate {
  const opened = createDeferred();
  const reached = createDeferred();
  const state = { queries: 0, failure: undefined as Error | undefined };
  const held = (reader: Reader): Reader => ({
    dialect: reader.dialect,
    async all<P extends object, R>(statement: Statement<P, R>, params: P) {
      // Every request reads it until the graph is complete.
      if ((statement as unknown) === IS_LOADED) return reader.all(statement, params);
      state.queries += 1;
      const rows = await reader.all(statement, params);
      reached.resolve();
      await opened.promise;
      if (state.failure !== undefined) throw state.failure;
      return rows;
    },
  });
  const heavy = { ...store.heavy, reader: held(store.heavy.reader) };
  return Object.assign(state, {
    store: { ...store, reader: held(store.reader), short: held(store.short), heavy },
    reached: reached.promise,
    async misses(count: number) {
      await handled(count);
      // A handler awaits nothing but settled promises and the next turn of the event loop before its query.
      for (let turn = 0; turn < 3; turn++) await nextTurn();
    },
    open: () => opened.resolve(),
  });
}

/** Fastify publishes on it when the synchronous part of a route handler has run. Cache hits never reach a handler. */
const HANDLER_CHANNEL = 'tracing:fastify.request.handler:end';

/** Resolves when the handlers of `count` more requests have run. */
async function handled(count: number): Promise<void> {
  const { promise, resolve } = createDeferred();
  let remaining = count;
  const onHandler = () => {
    remaining -= 1;
    if (remaining === 0) resolve();
  };
  subscribe(HANDLER_CHANNEL, onHandler);
  await promise;
  unsubscribe(HANDLER_CHANNEL, onHandler);
}

interface Deferred {
  readonly promise: Promise<void>;
  resolve(): void;
}

function createDeferred(): Deferred {
  let resolve = () => {};
  const promise = new Promise<void>((fulfil) => {
    resolve = fulfil;
  });
  return { promise, resolve: () => resolve() };
}
