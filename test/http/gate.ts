import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { BuildQuery, Query, Store } from '../../src/store/store.ts';

export interface Gate {
  readonly store: Store;
  /** How many queries were put. */
  readonly queries: number;
  /** What every query ends in, if anything. */
  failure: Error | undefined;
  /** Settles when the first query has its rows. */
  readonly reached: Promise<void>;
  open(): void;
}

/** A store that reads at once but gives nothing out before the gate is opened. */
export function createGate(store: Store): Gate {
  const opened = createSignal();
  const reached = createSignal();
  const state = { queries: 0, failure: undefined as Error | undefined };
  const hold =
    <P, R>(query: Query<P, R>): Query<P, R> =>
    async (params) => {
      state.queries += 1;
      const rows = await query(params);
      reached.give();
      await opened.given;
      if (state.failure !== undefined) throw state.failure;
      return rows;
    };
  const { reader } = store;
  const held = {
    ...reader,
    prepare: <P, R>(build: BuildQuery<R>) => hold(reader.prepare<P, R>(build)),
    prepareColumn: <P, V>(build: BuildQuery<Record<string, V>>) => hold(reader.prepareColumn<P, V>(build)),
  };
  return Object.assign(state, {
    store: { ...store, reader: held },
    reached: reached.given,
    open: () => opened.give(),
  });
}

/** Settles when this process's servers have been sent `count` requests. */
export function arrivals(count: number): Promise<void> {
  const channel = 'http.server.request.start';
  const arrived = createSignal();
  let left = count;
  const onRequest = () => {
    left -= 1;
    if (left > 0) return;
    unsubscribe(channel, onRequest);
    arrived.give();
  };
  subscribe(channel, onRequest);
  return arrived.given;
}

/** A promise and what keeps it. */
function createSignal(): { given: Promise<void>; give: () => void } {
  let give: (() => void) | undefined;
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give: () => give?.() };
}
