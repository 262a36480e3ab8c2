import { pino } from 'pino';
import { createSources } from '../../src/commands/create-sources.ts';
import type { SourcesConfig } from '../../src/config/config.ts';
import { readConfig } from '../../src/config/config.ts';
import { UNLIMITED } from '../../src/rpc/node-limit.ts';
import type { Store } from '../../src/store/store.ts';
import { type FakePoap, startFakePoap } from '../badges/fake-poap.ts';
import { NOW, ServiceFixture } from '../http/support.ts';
import { ANN, ANNS, annsList, BOB, BOBS, bobsList, follow, logsOf } from '../model/small-history.ts';
import { type FakeEnsNode, startFakeEnsNode } from '../names/ens/fake-ens-node.ts';
import type { Engine } from '../support/engines.ts';
import { loadLogs, loadRanks } from '../support/load.ts';
import type { Service } from '../support/service.ts';

/** Services with a fake node and a fake POAP server as sources. */
export interface Live {
  readonly node: FakeEnsNode;
  readonly poap: FakePoap;
  readonly store: Store;
  /** Unix milliseconds; may be changed. */
  now: number;
  /** How far the system clock was set, in milliseconds; may be changed. */
  step: number;
  /** The monotonic clock, which is `now` unless it is replaced. */
  monotonic: () => number;
  /** Log lines. */
  readonly log: string[];
  /** Starts another service on the same database, as another process would. */
  serve(changes?: Partial<SourcesConfig>, store?: Store): Promise<Service>;
}

/** A graph in which Ann and Bob follow each other. Ann has list 0, Bob has list 2. */
export class LiveFixture {
  readonly #fixture: ServiceFixture;
  readonly #closers: (() => Promise<unknown>)[] = [];
  readonly #sources: (() => Promise<unknown>)[] = [];
  #served = 0;

  constructor(engine: Engine) {
    this.#fixture = new ServiceFixture(engine);
  }

  async open(): Promise<Live> {
    const store = await this.#fixture.open();
    await loadLogs(store, logsOf([...annsList, ...bobsList, follow(ANNS, BOB), follow(BOBS, ANN)]));
    await loadRanks(store, NOW * 1000);
    const node = await startFakeEnsNode();
    const poap = await startFakePoap();
    this.#closers.push(() => Promise.all([node.stop(), poap.stop()]));
    const log: string[] = [];
    const serve: Live['serve'] = async (changes, given) => {
      const own = given ?? (live.store === store && this.#served === 0 ? store : await this.#fixture.open());
      this.#served += 1;
      return this.#serve(live, own, changes);
    };
    const live: Live = { node, poap, store, now: NOW * 1000, step: 0, monotonic: () => live.now, log, serve };
    return live;
  }

  async #serve(live: Live, store: Store, changes: Partial<SourcesConfig> = {}): Promise<Service> {
    const { sources: config } = readConfig({
      RPC_URL_1: live.node.url,
      POAP_API_KEY: 'key',
      POAP_API_URL: live.poap.url,
      BADGE_EVENTS: '177709,178064',
      // The clock of the fixture stands still, so that the budget of calls is not refilled.
      SOURCE_REQUESTS_PER_SECOND: '10000',
      // Long enough for a busy machine.
      SOURCE_TIMEOUT_MS: '30000',
      SOURCE_DEADLINE_MS: '30000',
    });
    const ending = new AbortController();
    const write = (line: string) => {
      live.log.push(line);
    };
    const sources = await createSources(
      store,
      { ...config, ...changes },
      {
        fetch,
        now: () => live.now + live.step,
        monotonic: () => live.monotonic(),
        limitOf: () => UNLIMITED,
        random: () => 0,
        logger: pino({ level: 'debug' }, { write }),
        signal: ending.signal,
      },
    );
    this.#sources.push(async () => {
      ending.abort();
      await sources.close();
    });
    return this.#fixture.serve(store, {
      ...{
        sources,
        sourceMetrics: sources.metrics,
        now: () => live.now + live.step,
        monotonic: () => live.now,
        log: write,
      },
      // So that a test can be several clients.
      limits: { trustProxy: '127.0.0.1' },
    });
  }

  /** Stops background work, as shutting down a process does. */
  async closeServices(): Promise<void> {
    for (const close of this.#sources.splice(0)) await close();
  }

  async close(): Promise<void> {
    this.#served = 0;
    await this.closeServices();
    for (const close of this.#closers.splice(0).reverse()) await close();
    await this.#fixture.close();
  }
}
