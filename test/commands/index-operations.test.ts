import { describe, expect, it } from 'vitest';
import { useOwnDatabase } from '../store/own-database.ts';
import { anyEngine } from '../support/engines.ts';
import { freePort } from '../support/free-port.ts';
import { fetchAnswer } from '../support/service.ts';
import { runKith, startKithHere } from './run-here.ts';
import { failureIn, followKith, startKith } from './run-kith.ts';

/** Nothing listens there, so that there is something to refresh but nothing to wait for. */
const SOURCE = { RPC_URL_1: 'http://127.0.0.1:1', INDEX_CHAINS: 'none' };

const metricsAt = async (url: string) => (await fetchAnswer(`${url}/metrics`)).text;

describe.each(anyEngine)('kith index with an operations port on $name', (engine) => {
  const own = useOwnDatabase({ create: engine.createOwn });

  async function index() {
    const port = await freePort();
    const env = { DATABASE_URL: own.database.url, OPERATIONS_PORT: `${port}`, ...SOURCE };
    const running = followKith(['index'], env);
    await running.untilSaid(/serving probes at/);
    return { ...running, url: `http://127.0.0.1:${port}` };
  }

  it('shows which process indexes and which one stands by, both healthy', async () => {
    const one = await index();
    await one.untilSaid(/"msg":"indexing"/);
    const other = await index();
    await other.untilSaid(/standing by/);
    for (const { url } of [one, other]) expect((await fetchAnswer(`${url}/health`)).status).toBe(200);
    expect(await fetchAnswer(`${one.url}/ready`)).toMatchObject({ status: 200, json: { status: 'active' } });
    expect(await fetchAnswer(`${other.url}/ready`)).toMatchObject({ status: 200, json: { status: 'standby' } });
    expect(await metricsAt(one.url)).toContain('kith_indexer_active 1\n');
    expect(await metricsAt(other.url)).toContain('kith_indexer_active 0\n');
    one.child.kill('SIGTERM');
    expect((await one.outcome).code).toBe(0);
    await expect.poll(() => metricsAt(other.url)).toContain('kith_indexer_active 1\n');
  });

  it('has metrics of the process and the database', async () => {
    const { url } = await index();
    const text = await metricsAt(url);
    expect(text).toMatch(/^kith_process_resident_memory_bytes \d+$/m);
    expect(text).toMatch(/^kith_nodejs_eventloop_lag_p99_seconds [\d.e-]+$/m);
    expect(text).toMatch(
      new RegExp(`^kith_build_info\\{version="[\\d.]+",node="[\\d.]+",engine="${engine.name}"\\} 1$`, 'm'),
    );
    expect(text).toContain('kith_database_up 1\n');
    expect(text).toMatch(/^kith_database_bytes [1-9]\d*$/m);
    expect(/^kith_wal_bytes \d+$/m.test(text)).toBe(engine.name === 'sqlite');
  });
});

describe.each(anyEngine)('the operations ports of indexers on $name', (engine) => {
  const own = useOwnDatabase({ create: engine.createOwn });

  it('end kith index with E_PORT_IN_USE if another process listens there', async () => {
    const { url } = await startKithHere(['serve'], { DATABASE_URL: own.database.url });
    const env = { DATABASE_URL: own.database.url, OPERATIONS_PORT: new URL(url).port, ...SOURCE };
    const { code, stderr } = await runKith(['index'], { env });
    expect(code).toBe(1);
    expect(failureIn(stderr)).toMatch(/\[E_PORT_IN_USE\]$/);
  });

  it('are two with kith start, if both are set', async () => {
    const ports = [await freePort(), await freePort()];
    const kith = await startKith('start', {
      DATABASE_URL: own.database.url,
      OPERATIONS_PORT: `${ports[0]}`,
      INDEXER_OPERATIONS_PORT: `${ports[1]}`,
      ...SOURCE,
    });
    await kith.untilSaid(/"msg":"indexing"/);
    const [serving, indexing] = await Promise.all(ports.map((port) => metricsAt(`http://127.0.0.1:${port}`)));
    expect(serving).toContain('# TYPE kith_http_requests_total counter');
    expect(serving).not.toContain('kith_indexer_active');
    expect(indexing).toContain('kith_indexer_active 1\n');
    expect((await kith.end()).code).toBe(0);
  });

  it('are one with kith start, if only its own is set', async () => {
    const port = await freePort();
    const env = { DATABASE_URL: own.database.url, OPERATIONS_PORT: `${port}`, ...SOURCE };
    const kith = await startKith('start', env);
    await kith.untilSaid(/"msg":"indexing"/);
    expect(await metricsAt(`http://127.0.0.1:${port}`)).not.toContain('kith_indexer_active');
    expect(kith.stderr()).not.toContain('serving probes at');
    expect((await kith.end()).code).toBe(0);
  });
});
