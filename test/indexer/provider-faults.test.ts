import { afterAll, beforeAll, describe, it, type TestContext } from 'vitest';
import { randomHistory } from '../model/random-history.ts';
import { dump } from '../support/dump.ts';
import { anyEngine } from '../support/engines.ts';
import { loadRanks } from '../support/load.ts';
import { fetchAnswer, startService } from '../support/service.ts';
import type { EvmNode } from './evm-node.ts';
import { CHAINS, cleanReplay, play, startChains, startIndexer, untilIndexed } from './harness.ts';
import {
  FAULTS,
  type Fault,
  faultEveryThird,
  faultTimes,
  type ProviderProxy,
  type Script,
  SECRETS,
  startProxy,
} from './provider-proxy.ts';

const FAULTY_CHAIN = 8453;
/** Short where the timeout has to expire, otherwise longer than any response takes on a busy machine. */
const timeoutFor = (kind: string) => (kind === 'timeout' ? 500 : 30_000);

describe.each(anyEngine)('an indexer into $name, from a provider that fails', (engine) => {
  let nodes: EvmNode[];
  let expected: Record<string, unknown[]>;

  beforeAll(async () => {
    nodes = await startChains({ epoch: 3 });
    await play(nodes, randomHistory(11, { logs: 60 }));
    expected = await cleanReplay(engine, nodes);
  });
  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.stop()));
  });

  const urlOf = (chainId: number) => nodes.find((node) => node.chainId === chainId)?.url ?? '';

  interface Case {
    readonly script: Script;
    readonly hasFallback: boolean;
    readonly kind: string;
    /** The least number of faults that the metrics must show. */
    readonly count: (proxy: ProviderProxy) => number;
  }

  /** Indexes through the proxy, and checks the rows, the metrics, and that no output contains a secret. */
  async function indexThrough(faultCase: Case, { expect, onTestFinished }: TestContext): Promise<ProviderProxy> {
    const database = await engine.create();
    const store = await database.open();
    const log: string[] = [];
    const service = await startService(store, { log: (line) => log.push(line) });
    const proxy = await startProxy(urlOf(FAULTY_CHAIN), faultCase.script);
    const faulty = faultCase.hasFallback ? [proxy.url, urlOf(FAULTY_CHAIN)] : [proxy.url];
    const rpcUrls = new Map(CHAINS.map((chainId) => [chainId, chainId === FAULTY_CHAIN ? faulty : [urlOf(chainId)]]));
    const indexer = startIndexer(store, nodes, { rpcUrls, rpcTimeoutMs: timeoutFor(faultCase.kind) });
    onTestFinished(async () => {
      await indexer.stop();
      await service.close();
      await proxy.stop();
      await store.close();
      await database.drop();
    });

    await untilIndexed(store, nodes, indexer);
    const sample = `kith_rpc_faults_total{chain="${FAULTY_CHAIN}",host="${proxy.host}",kind="${faultCase.kind}"} `;
    const readCounter = async () => {
      const { text } = await fetchAnswer(`${service.url}/metrics`);
      return Number(text.split(sample)[1]?.split('\n')[0] ?? 0);
    };
    // Counters are flushed at intervals.
    await expect.poll(readCounter).toBeGreaterThanOrEqual(faultCase.count(proxy));

    const pages = await Promise.all(['/status', '/ready', '/metrics'].map((path) => fetchAnswer(service.url + path)));
    const shown = [...indexer.log, ...log, ...pages.map(({ text }) => text)].join('\n');
    for (const secret of SECRETS) expect(shown).not.toContain(secret);

    await indexer.stop();
    await loadRanks(store, 0);
    expect(await dump(store)).toEqual(expected);
    return proxy;
  }

  const faults = Object.entries(FAULTS) as [Fault, string][];

  it.concurrent.for(faults)(
    'fails over to the fallback when every request fails with: %s',
    async ([fault, kind], context) => {
      const script = faultTimes(Number.POSITIVE_INFINITY, fault);
      await indexThrough({ script, kind, hasFallback: true, count: () => 1 }, context);
    },
  );

  it.concurrent.for(faults)(
    'retries without a fallback when some requests fail with: %s',
    async ([fault, kind], context) => {
      const script = faultEveryThird(3, fault);
      const count = ({ injected }: ProviderProxy) => injected.length;
      const { injected } = await indexThrough({ script, kind, hasFallback: false, count }, context);
      context.expect(injected).toContain(fault);
    },
  );
});
