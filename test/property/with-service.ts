import { expect } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { HISTORY_END } from '../model/random-history.ts';
import type { Asked } from '../support/routes-not-asked.ts';
import { startService } from '../support/service.ts';

type Service = Awaited<ReturnType<typeof startService>>;
export type Get = Service['get'];
/** Expects status 200 and the whole body. */
export type ExpectAnswer = (path: string, expected: unknown, init?: Parameters<Get>[1]) => Promise<void>;

/** Requests in progress. One at a time, most of the time is spent waiting for PostgreSQL. */
const CONCURRENCY = 32;

export interface Compared {
  /** Part of what a failed expectation prints. */
  readonly seed: number;
  /** The requests whose whole answers were compared are added. */
  readonly asked: Asked[];
}

/** Serves a store at the end of the history. */
export async function withService(
  store: Store,
  { seed, asked }: Compared,
  work: (get: Get, expectAnswer: ExpectAnswer) => Promise<void>,
): Promise<void> {
  const service = await startService(store, { now: () => HISTORY_END * 1000 });
  const expectNow: ExpectAnswer = async (path, expected, init) => {
    asked.push({ path, method: init?.method });
    const { status, json } = await service.get(path, init);
    expect({ seed, path, status, json }).toEqual({ seed, path, status: 200, json: expected });
  };
  let pending: Promise<void>[] = [];
  const expectPending = async () => {
    const settled = await Promise.allSettled(pending);
    pending = [];
    for (const result of settled) if (result.status === 'rejected') throw result.reason;
  };
  const expectAnswer: ExpectAnswer = async (...args) => {
    pending.push(expectNow(...args));
    if (pending.length === CONCURRENCY) await expectPending();
  };
  try {
    await work(service.get, expectAnswer);
    await expectPending();
  } finally {
    await service.close();
  }
}
