import { renameSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import threads, { Worker } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../../src/store/open-store.ts';
import { StoreUnavailableError } from '../../../src/store/store.ts';
import { engines } from '../../support/engines.ts';
import { useOwnDatabase } from '../own-database.ts';
import { BADGES, badge } from '../transaction-script.ts';

const sqlite = engines.filter(({ name }) => name === 'sqlite');
/** More rows than a chunk has. */
const ROWS = Array.from({ length: 5_000 }, (_, i) => badge(`${i}`.padStart(40, '0')));

/** Reads on to the end. The rows that follow may have been read already. */
async function drain(stream: AsyncGenerator): Promise<void> {
  for await (const _ of stream);
}

/** The threads that are started until the test ends. */
function collectWorkers(): Worker[] {
  const workers: Worker[] = [];
  threads.Worker = class extends Worker {
    constructor(...options: ConstructorParameters<typeof Worker>) {
      super(...options);
      workers.push(this);
    }
  };
  syncBuiltinESMExports();
  onTestFinished(() => {
    threads.Worker = Worker;
    syncBuiltinESMExports();
  });
  return workers;
}

describe.each(sqlite)('a reader thread of $name', (engine) => {
  const own = useOwnDatabase(engine);

  it('that has exited is an outage for each of its queries, and another one answers the next', async () => {
    const workers = collectWorkers();
    const errors: Error[] = [];
    const location = { engine: 'sqlite', path: own.database.url.slice('sqlite:'.length) } as const;
    const store = await openStore(location, { onError: (error) => errors.push(error) });
    onTestFinished(() => store.close());
    await store.transaction((tx) => tx.insert('badges', ROWS));
    const streams = [store.streams.stream(BADGES, {}), store.streams.stream(BADGES, {})];
    for (const stream of streams) expect((await stream.next()).value?.length).toBeLessThan(ROWS.length);
    expect(workers).toHaveLength(1);
    await workers[0]?.terminate();
    for (const stream of streams) await expect(drain(stream)).rejects.toThrow(StoreUnavailableError);
    let rows = 0;
    for await (const chunk of store.streams.stream(BADGES, {})) rows += chunk.length;
    expect(rows).toBe(ROWS.length);
    expect(errors).toHaveLength(1);
  });

  it('ends snapshots and streams while the file is moved away, so that they do not keep the WAL', async () => {
    const store = await own.open();
    const path = own.database.url.slice('sqlite:'.length);
    const whileMoved = async (work: () => Promise<unknown>) => {
      renameSync(path, `${path}.moved`);
      await expect(work()).rejects.toThrow(StoreUnavailableError);
      renameSync(`${path}.moved`, path);
    };
    await store.transaction((tx) => tx.insert('badges', ROWS));
    await store.snapshots.snapshot(async (reader) => {
      await reader.all(BADGES, {});
      await whileMoved(() => reader.all(BADGES, {}));
      renameSync(path, `${path}.moved`);
    });
    renameSync(`${path}.moved`, path);
    const stream = store.streams.stream(BADGES, {});
    await stream.next();
    await whileMoved(() => drain(stream));
    await store.transaction((tx) => tx.insert('badges', [badge('new')]));
    const other = new Database(path, { timeout: 100 });
    onTestFinished(() => void other.close());
    expect(other.pragma('wal_checkpoint(truncate)')).toMatchObject([{ busy: 0 }]);
  });
});
