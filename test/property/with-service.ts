import { expect } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { HISTORY_END } from '../model/random-history.ts';
import { startService } from '../support/service.ts';

type Service = Awaited<ReturnType<typeof startService>>;
export type Get = Service['get'];
/** Expects status 200 and the whole body. */
export type ExpectAnswer = (path: string, expected: unknown, init?: Parameters<Get>[1]) => Promise<void>;

/** Serves a store at the end of the history. The seed is part of what a failed expectation prints. */
export async function withService(
  store: Store,
  seed: number,
  work: (get: Get, expectAnswer: ExpectAnswer) => Promise<void>,
): Promise<void> {
  const service = await startService(store, { now: () => HISTORY_END * 1000 });
  const expectAnswer: ExpectAnswer = async (path, expected, init) => {
    const { status, json } = await service.get(path, init);
    expect({ seed, path, status, json }).toEqual({ seed, path, status: 200, json: expected });
  };
  try {
    await work(service.get, expectAnswer);
  } finally {
    await service.close();
  }
}
