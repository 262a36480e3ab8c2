import { EventEmitter, on } from 'node:events';
import type { BuildQuery, Query, Store } from '../../src/store/store.ts';

export interface Gate {
  readonly store: Store;
  /** How many queries were put. */
  readonly queries: number;
  /** What every query ends in, if anything. */
  failure: Error | undefined;
  /** Settles when the first query has its rows. */
  readonly reached: Promise<void>;
  /** Settles when `count` more questions have come in that the cache has no answer to. */
  asked(count: number): Promise<void>;
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
  const asked = new EventEmitter();
  // Whoever is about to put a question looks at the version of the data first.
  const version = {
    current() {
      asked.emit('question');
      return store.version.current();
    },
  };
  const held = {
    ...reader,
    prepare: <P, R>(build: BuildQuery<R>) => hold(reader.prepare<P, R>(build)),
    prepareColumn: <P, V>(build: BuildQuery<Record<string, V>>) => hold(reader.prepareColumn<P, V>(build)),
  };
  return Object.assign(state, {
    store: { ...store, reader: held, version },
    reached: reached.given,
    async asked(count: number) {
      const questions = on(asked, 'question');
      for (let i = 0; i < count; i++) await questions.next();
      await questions.return?.();
    },
    open: () => opened.give(),
  });
}

/** A promise and what keeps it. */
function createSignal(): { given: Promise<void>; give: () => void } {
  let give: (() => void) | undefined;
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give: () => give?.() };
}
