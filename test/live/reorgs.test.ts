import { afterEach, describe, expect, it } from 'vitest';
import { rebuildGraph } from '../../src/ingest/rebuild/rebuild-graph.ts';
import type { Store } from '../../src/store/store.ts';
import { createRandom } from '../model/random.ts';
import { historySeeds } from '../support/effort.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { type Service, startService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { type Item, type OpenStream, openStream } from './event-client.ts';
import { ReorganisedHistory } from './reorganised-history.ts';
import { byPlace, lasting, storedEvents } from './stored-events.ts';

/** A client that applies what streams send, hangs up and resumes. */
class Mirror {
  readonly #events = new Map<string, Item>();
  #stream: OpenStream | null = null;
  #taken = 0;
  #id = '0';
  /** How many events have arrived that it had already, without an undo in between. */
  repeated = 0;
  undone = 0;

  async connect(url: string, format: 'sse' | 'ndjson'): Promise<void> {
    this.hangUp();
    const headers: Record<string, string> = format === 'sse' ? { 'last-event-id': this.#id } : {};
    const query = { lists: 'all', ...(format === 'sse' ? {} : { since: this.#id }) };
    this.#stream = await openStream(url, { query, format, headers });
    this.#taken = 0;
  }

  get isConnected(): boolean {
    return this.#stream !== null;
  }

  hangUp(): void {
    this.take();
    this.#stream?.close();
    this.#stream = null;
  }

  take(): void {
    for (const item of this.#stream?.items.slice(this.#taken) ?? []) {
      this.#taken += 1;
      if (item.id !== undefined) this.#id = item.id;
      if (item.type === 'undo') {
        this.undone += 1;
        for (const [key, { chain_id, block }] of this.#events)
          if (chain_id === item.chain_id && block > item.block) this.#events.delete(key);
      } else if (item.type !== 'progress') {
        const key = `${item.chain_id} ${item.block_hash} ${item.log_index}`;
        if (this.#events.has(key)) this.repeated += 1;
        this.#events.set(key, item);
      }
    }
  }

  events(): unknown[] {
    this.take();
    return [...this.#events.values()].map(lasting).sort(byPlace);
  }
}

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
