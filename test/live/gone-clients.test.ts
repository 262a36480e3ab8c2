import { describe, expect, it } from 'vitest';
import { EVENT_STREAM } from '../../src/live/formats.ts';
import { createHub } from '../../src/live/hub.ts';
import { deployments } from '../../src/protocol/deployments.ts';
import type { Address } from '../../src/protocol/hex.ts';
import type { Store } from '../../src/store/store.ts';
import { randomHistory } from '../model/random-history.ts';
import { useOwnDatabase } from '../store/own-database.ts';
import { anyEngine } from '../support/engines.ts';
import { loadLogs } from '../support/load.ts';
import { waitFor } from '../support/wait-for.ts';
import { ANN } from './event-logs.ts';

const ALL = { accounts: null, role: 'any', types: null, tags: null, allLists: true } as const;
const REQUEST = { filter: ALL, withEns: false, format: EVENT_STREAM, since: null, untilNow: false } as const;
const SINK = { write: () => undefined, buffered: () => 0, end: () => undefined, destroy: () => undefined };

const hubOf = (store: Store) =>
  createHub({
    store,
    deployment: deployments.mainnet,
    limits: { maxStreams: 10, maxStreamsPerClient: 10, maxStreamMs: 3_600_000 },
    monotonic: () => performance.now(),
    random: () => 0.5,
    onError(error) {
      throw error;
    },
    slowReaderProblem: '{}',
  });

describe.each(anyEngine)('an event stream whose client hangs up, on $name', (engine) => {
  const own = useOwnDatabase({ create: engine.createOwn });

  it('ends, even just after it was opened', async () => {
    const store = await own.open();
    await loadLogs(store, randomHistory(1, { logs: 20 }));
    const hub = hubOf(store);
    let isLive = () => false;
    let hangUp = () => {};
    const other = hub.stream('other', 'latest', REQUEST, SINK, (stream) => {
      isLive = () => stream.isLive;
      hangUp = () => stream.end('client-gone');
    });
    await waitFor(() => expect(isLive()).toBe(true));
    // While the stream waits for the page that the feed reads.
    const gone = hub.stream('gone', 'latest', REQUEST, SINK, (stream) =>
      queueMicrotask(() => stream.end('client-gone')),
    );
    expect(await gone).toBe('client-gone');
    hangUp();
    expect(await other).toBe('client-gone');
    expect(hub.counts().open).toBe(0);
  });

  it('reads no more of a history of which nothing passes its filter', async () => {
    const store = await own.open();
    await loadLogs(store, randomHistory(1, { logs: 1_000 }));
    let reads = 0;
    let hangUp = () => {};
    const { reader } = store.heavy;
    const all: typeof reader.all = (...query) => {
      reads += 1;
      hangUp();
      return reader.all(...query);
    };
    const hub = hubOf({ ...store, heavy: { ...store.heavy, reader: { ...reader, all } } });
    const filter = { ...ALL, accounts: new Set<Address>([ANN]), role: 'source' } as const;
    const request = { ...REQUEST, filter, since: new Map() };
    const reason = await hub.stream('gone', 'latest', request, SINK, (stream) => {
      hangUp = () => stream.end('client-gone');
    });
    expect(reason).toBe('client-gone');
    // The first page, and the one that was asked for with it.
    expect(reads).toBeLessThanOrEqual(2);
  });
});
