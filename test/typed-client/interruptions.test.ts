import { afterEach, describe, expect, it } from 'vitest';
import { type ChainEvent, createClient, type StreamEvent } from '../../packages/client/src/client.ts';
import { ReorganisedHistory } from '../live/reorganised-history.ts';
import { byPlace, lasting, storedEvents } from '../live/stored-events.ts';
import { createRandom, type Random } from '../model/random.ts';
import { historySeeds } from '../support/effort.ts';
import { engines } from '../support/engines.ts';
import { type Service, startService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

/** Applies what the client hands on. */
class Consumer {
  readonly #events = new Map<string, ChainEvent>();
  readonly #controller = new AbortController();
  #ended: Promise<void>;
  repeated = 0;
  undone = 0;

  constructor(items: (signal: AbortSignal) => AsyncIterable<StreamEvent>) {
    this.#ended = this.#take(items(this.#controller.signal));
    // Awaited in `close`.
    this.#ended.catch(() => undefined);
  }

  async #take(items: AsyncIterable<StreamEvent>): Promise<void> {
    for await (const item of items) {
      if (item.type === 'undo') {
        this.undone += 1;
        for (const [key, { chain_id, block }] of this.#events)
          if (chain_id === item.chain_id && block > item.block) this.#events.delete(key);
        continue;
      }
      const key = `${item.chain_id} ${item.block_hash} ${item.log_index}`;
      if (this.#events.has(key)) this.repeated += 1;
      this.#events.set(key, item);
    }
  }

  events = () => [...this.#events.values()].map(lasting).sort(byPlace);

  close(): Promise<void> {
    this.#controller.abort();
    return this.#ended;
  }
}

/** A connection that is cut after some bytes, often within an event. */
function cutConnections(random: Random, { status, headers, body }: Response): Response {
  let left = random.chance(0.7) ? random.int(30_000) : Number.POSITIVE_INFINITY;
  const cut = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      controller.enqueue(chunk.subarray(0, left));
      left -= chunk.length;
      if (left <= 0) controller.error(new TypeError('the connection was cut'));
    },
  });
  return new Response(body?.pipeThrough(cut) ?? null, { status, headers });
}

describe.each(engines)('the events of the typed client on $name', (engine) => {
  const closers: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });

  it.each(historySeeds(engine.name, 6))(
    'are those of a clean replay after reorgs, restarts of the server and connections that are cut (KITH_SEED=%i)',
    async (seed) => {
      const random = createRandom(seed);
      const database = await engine.create();
      closers.push(() => database.drop());
      const writer = await database.open();
      closers.push(() => writer.close());
      let service: Service;
      let stop = async () => {};
      const start = async () => {
        const store = await database.open();
        service = await startService(store);
        stop = async () => {
          await service.close();
          await store.close();
        };
      };
      await start();
      closers.push(() => stop());
      const cuts = createRandom(seed);
      const kith = createClient({
        baseUrl: 'http://kith.example',
        fetch: async (url, init) =>
          cutConnections(cuts, await fetch(String(url).replace('http://kith.example', service.url), init)),
      });
      const consumers = Array.from(
        { length: 3 },
        () => new Consumer((signal) => kith.events({ lists: 'all', since: '0' }, { signal })),
      );
      for (const consumer of consumers) closers.push(() => consumer.close());
      const compare = async () => {
        const expected = await storedEvents(service);
        for (const consumer of consumers) {
          await waitFor(() => expect({ seed, events: consumer.events() }).toEqual({ seed, events: expected }));
          expect({ seed, repeated: consumer.repeated }).toEqual({ seed, repeated: 0 });
        }
        return expected;
      };

      const history = new ReorganisedHistory(writer, seed, random);
      while (await history.advance()) {
        if (random.chance(0.08)) await compare();
        if (random.chance(0.25)) await history.reorganise();
        if (random.chance(0.03)) {
          await stop();
          await start();
        }
      }
      expect((await compare()).length).toBeGreaterThan(100);
      expect(consumers.some(({ undone }) => undone > 0)).toBe(true);
    },
  );
});
