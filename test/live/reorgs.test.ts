import { afterEach, describe, expect, it } from 'vitest';
import { rebuildGraph } from '../../src/ingest/rebuild/rebuild-graph.ts';
import type { Store } from '../../src/store/store.ts';
import { createRandom } from '../model/random.ts';
import { historySeeds } from '../support/effort.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { type Service, startService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { Mirror } from './mirror.ts';
import { ReorganisedHistory } from './reorganised-history.ts';
import { storedEvents } from './stored-events.ts';

describe.each(engines)('event streams over random histories with reorgs on $name', (engine) => {
  const closers: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });

  async function openDatabase(): Promise<TestDatabase> {
    const database = await engine.create();
    closers.push(() => database.drop());
    return database;
  }
  async function open(database: TestDatabase): Promise<Store> {
    const store = await database.open();
    closers.push(() => store.close());
    return store;
  }
  async function serve(store: Store): Promise<Service> {
    const service = await startService(store);
    closers.push(() => service.close());
    return service;
  }

  it.each(historySeeds(engine.name, 6))(
    'end with the events of a clean replay, for readers that hang up and resume anywhere (KITH_SEED=%i)',
    async (seed) => {
      const random = createRandom(seed);
      const database = await openDatabase();
      const writer = await open(database);
      const services = [await serve(await open(database)), await serve(await open(database))] as const;
      const mirrors = Array.from({ length: 4 }, () => new Mirror());
      closers.push(async () => {
        for (const mirror of mirrors) mirror.hangUp();
      });
      const compare = async () => {
        const expected = await storedEvents(services[0]);
        for (const mirror of mirrors.filter(({ isConnected }) => isConnected)) {
          await waitFor(() => expect({ seed, events: mirror.events() }).toEqual({ seed, events: expected }));
          expect({ seed, repeated: mirror.repeated }).toEqual({ seed, repeated: 0 });
        }
        return expected;
      };

      const history = new ReorganisedHistory(writer, seed, random);
      while (await history.advance()) {
        if (random.chance(0.1)) await compare();
        if (random.chance(0.25)) await history.reorganise();
        if (random.chance(0.04)) await writer.transaction((tx) => rebuildGraph(tx, 0));
        for (const mirror of mirrors) {
          if (random.chance(0.15)) mirror.hangUp();
          else if (random.chance(0.2)) await mirror.connect(random.pick(services).url, random.pick(['sse', 'ndjson']));
        }
      }
      for (const mirror of mirrors) await mirror.connect(random.pick(services).url, 'sse');
      expect((await compare()).length).toBeGreaterThan(100);
      expect(mirrors.some(({ undone }) => undone > 0)).toBe(true);
    },
  );
});
