import { afterEach, describe, expect, it } from 'vitest';
import { rebuildGraph } from '../../src/ingest/rebuild/rebuild-graph.ts';
import { rewindChain } from '../../src/ingest/rewind.ts';
import type { RawLog } from '../../src/protocol/parse-log.ts';
import type { Store } from '../../src/store/store.ts';
import { createRandom, type Random } from '../model/random.ts';
import { randomHistory } from '../model/random-history.ts';
import { historySeeds } from '../support/effort.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { loadLogs } from '../support/load.ts';
import { type Service, startService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { type Item, type OpenStream, openStream } from './event-client.ts';

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

/** What of an event never changes. */
function lasting({ id, account, name, avatar, list, is_primary, ...event }: Item): Item {
  return ['mint', 'transfer', 'burn', 'location', 'primary'].includes(event.type) ? { ...event, account, list } : event;
}

const byPlace = (a: Item, b: Item) => a.chain_id - b.chain_id || a.block - b.block || a.log_index - b.log_index;

/** The events of all stored logs, from a page after another. */
async function cleanReplay(service: Service): Promise<unknown[]> {
  const found: Item[] = [];
  for (let path: string | null = '/events?since=0&lists=all&limit=70'; path !== null; ) {
    const { json, headers }: Awaited<ReturnType<Service['get']>> = await service.get(path, {
      headers: { accept: 'application/json' },
    });
    found.push(...json.events);
    const next = /^<(.*)>/.exec(headers.get('link') ?? '')?.[1];
    path = next === undefined ? null : `/events${next}`;
  }
  return found.map(lasting).sort(byPlace);
}

/** Some of the logs, in blocks with the same numbers on another fork. */
function reorganise(random: Random, logs: readonly RawLog[]): RawLog[] {
  const mark = random
    .int(2 ** 30)
    .toString(16)
    .padStart(8, '0');
  const kept = logs.filter(() => random.chance(0.8));
  return kept.map((log) => ({ ...log, blockHash: `0x${mark}${log.blockHash.slice(10)}` as const }));
}

const blockOf = ({ blockNumber }: RawLog) => Number(blockNumber);

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
      const stored = new Map<number, RawLog[]>();
      const finals = new Map<number, number>();
      const heights = new Map<number, number>();
      /** Every block that is much lower than the head is final. After a reorg, the chain is as high as before. */
      const moveCursors = (isFinalising: boolean) =>
        writer.transaction((tx) => {
          for (const [chainId, logs] of stored) {
            heights.set(chainId, Math.max(heights.get(chainId) ?? 0, ...logs.map(blockOf)));
            if (isFinalising && logs.length > 8)
              finals.set(chainId, Math.max(finals.get(chainId) ?? 0, blockOf(logs.at(-8) as RawLog) - 1));
          }
          return tx.upsert(
            'cursors',
            [...stored].map(([chain_id, logs]) => {
              const hash = logs.at(-1)?.blockHash ?? '';
              const number = heights.get(chain_id) ?? 0;
              const rest = { head_number: number, head_time: 0, checked_at: 0, time: 0 };
              return { chain_id, number, hash, ...rest, finalized_number: finals.get(chain_id) ?? 0 };
            }),
          );
        });
      const add = async (logs: readonly RawLog[]) => {
        await loadLogs(writer, logs);
        for (const log of logs)
          stored.set(
            log.chainId,
            [...(stored.get(log.chainId) ?? []), log].sort((a, b) => blockOf(a) - blockOf(b)),
          );
      };
      const reorg = async () => {
        const chainId = random.pick([...stored.keys()]);
        const logs = stored.get(chainId) ?? [];
        const fork = Math.max(finals.get(chainId) ?? 0, blockOf(random.pick(logs.slice(-10))) - random.int(2));
        await writer.transaction((tx) => rewindChain(tx, chainId, fork));
        stored.set(
          chainId,
          logs.filter((log) => blockOf(log) <= fork),
        );
        const orphaned = logs.filter((log) => blockOf(log) > fork);
        if (random.chance(0.8)) await add(reorganise(random, orphaned));
      };

      const compare = async () => {
        const expected = await cleanReplay(services[0]);
        for (const mirror of mirrors.filter(({ isConnected }) => isConnected)) {
          await waitFor(() => expect({ seed, events: mirror.events() }).toEqual({ seed, events: expected }));
          expect({ seed, repeated: mirror.repeated }).toEqual({ seed, repeated: 0 });
        }
        return expected;
      };

      const history = randomHistory(seed, { logs: 400 });
      const blocks = [...Map.groupBy(history, ({ chainId, blockNumber }) => `${chainId} ${blockNumber}`).values()];
      for (let from = 0; from < blocks.length; ) {
        await add(blocks.slice(from, (from += 1 + random.int(5))).flat());
        await moveCursors(random.chance(0.7));
        if (random.chance(0.1)) await compare();
        if (random.chance(0.25)) await reorg();
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
