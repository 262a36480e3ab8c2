import type { Logger } from 'pino';
import { createFairQueue } from '../async/fair-queue.ts';
import { RemoteError } from './remote-error.ts';
import { timeLeft } from './request-context.ts';

/** Rejects when the signal is aborted. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

/** How sources are asked while clients wait. */
export interface OnDemandTools {
  /** How long a response waits for sources in all. */
  readonly deadlineMs: number;
  readonly sleep: Sleep;
}

export interface OnDemandOptions<V> extends OnDemandTools {
  readonly source: string;
  /** What is asked for, in the plural. */
  readonly of: string;
  /** Whether a value is to be stored; by default all are. */
  readonly isStored?: (value: V) => boolean;
  /** Stores the values of one request. */
  readonly write: (values: readonly V[]) => Promise<void>;
  readonly logger: Pick<Logger, 'warn'>;
}

/** One question to a source, for all who ask it meanwhile. */
export interface Flight<V> {
  /** Rejects if the source fails. That may be ignored. */
  readonly fetched: Promise<V>;
  /** Resolves when the value is stored, or cannot be. */
  readonly stored: Promise<void>;
  /** Null while the source is asked. */
  outcome: { readonly value: V } | { readonly error: unknown } | null;
}

/** A write that waits behind a long import keeps the values in memory. */
const MAX_WRITES = 1_000;

/**
 * Asks a source while clients wait: equal questions once, as long as a response may wait, and with one write at a time,
 * because a transaction that waits behind a long import holds a pool connection that lookups need.
 */
export function createOnDemand<V>(options: OnDemandOptions<V>) {
  const { source, of, isStored = () => true, write, deadlineMs, sleep, logger } = options;
  /** Questions that are asked, and values that are not stored yet. */
  const flights = new Map<string, Flight<V>>();
  const running = new Set<Promise<void>>();
  const writes = createFairQueue({
    concurrency: 1,
    maxWaiting: MAX_WRITES,
    maxWaitMs: Number.POSITIVE_INFINITY,
    refuse: () => new Error(`too many ${of} wait to be written`),
  });

  function start(fetched: Promise<V>, stored: Promise<void>): Flight<V> {
    const flight: Flight<V> = { fetched, stored, outcome: null };
    const end = (outcome: Flight<V>['outcome']) => {
      flight.outcome = outcome;
    };
    fetched.then(
      (value) => end({ value }),
      (error: unknown) => end({ error }),
    );
    return flight;
  }

  /** Writes the values of one request when all of them are fetched. Later requests read them from the database. */
  async function store(started: ReadonlyMap<string, Flight<V>>): Promise<void> {
    await Promise.allSettled([...started.values()].map(({ fetched }) => fetched));
    const values = [...started.values()].flatMap(valuesOf).filter(isStored);
    try {
      if (values.length > 0) await writes.run('', () => write(values));
    } catch (error) {
      logger.warn({ err: error }, `failed to store fetched ${of}, they will be fetched again`);
    }
    for (const [key, flight] of started) if (flights.get(key) === flight) flights.delete(key);
  }

  return {
    /** Asks for the values of some keys, or joins those who ask already. The values are stored together. */
    request<const K extends readonly string[]>(keys: K, fetch: (key: K[number]) => Promise<V>) {
      const { promise: stored, resolve } = Promise.withResolvers<void>();
      const started = new Map<string, Flight<V>>();
      const requested = keys.map((key) => {
        const known = flights.get(key);
        if (known?.outcome === null) return known;
        const flight = start(fetch(key), stored);
        flights.set(key, flight);
        started.set(key, flight);
        return flight;
      });
      const storing: Promise<void> = store(started).finally(() => {
        running.delete(storing);
        resolve();
      });
      running.add(storing);
      // Safe: there is one for each key.
      return requested as { readonly [I in keyof K]: Flight<V> };
    },
    /** What is asked, or was fetched and is not stored yet. */
    inFlight: (keys: readonly string[]): Flight<V>[] => keys.flatMap((key) => flights.get(key) ?? []),
    /** Waits as long as the response may. Then it rejects with a `RemoteError`, and the work goes on. */
    async inTime<T>(work: Promise<T>): Promise<T> {
      const done = new AbortController();
      const deadline = sleep(timeLeft(deadlineMs), done.signal).then(() => {
        throw new RemoteError(source, of, { kind: 'timeout' });
      });
      return Promise.race([work, deadline]).finally(() => done.abort());
    },
    /** Runs another write between those of values. */
    inTurn: <T>(other: () => Promise<T>): Promise<T> => writes.run('', other),
    /** Waits for the source and for writes. */
    async settle(): Promise<void> {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

export function valuesOf<V>({ outcome }: Flight<V>): V[] {
  return outcome !== null && 'value' in outcome ? [outcome.value] : [];
}
