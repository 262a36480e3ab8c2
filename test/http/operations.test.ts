import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { listOp } from '../model/encode-log.ts';
import { ANNS, annsList, BOB, bobsList, CATS, follow, logsOf, tag } from '../model/small-history.ts';
import { anyEngine } from '../support/engines.ts';
import { loadLogs, loadRanks } from '../support/load.ts';
import { fetchAnswer, type Service } from '../support/service.ts';
import { NOW, ServiceFixture } from './support.ts';

const followers = `/users/${BOB}/followers`;

describe.each(anyEngine)('the operator endpoints', (engine) => {
  const fixture = new ServiceFixture(engine);
  let service: Service;
  // Ann's list is on Base and Bob's on OP Mainnet; Ethereum has only an invalid list op.
  const logs = logsOf([...annsList, ...bobsList, follow(ANNS, BOB), tag(ANNS, BOB, 'top8'), listOp(CATS, '0xffff')]);
  beforeAll(async () => {
    const store = await fixture.open();
    await loadLogs(store, logs);
    await loadRanks(store, NOW * 1000);
    service = await fixture.serve(store);
  });
  afterAll(() => fixture.close());

  const get = (path: string) => fetchAnswer(service.url + path, { redirect: 'manual' });

  it.each(['/health', '/ready'])('returns 200 for %s', async (path) => {
    expect(await get(path)).toMatchObject({ status: 200, json: { status: expect.any(String) } });
  });

  it('returns the state of the database and the chains from /status', async () => {
    const { json } = await get('/status');
    const unknown = { head: null, finalized: null, lagBlocks: null, reading: [], lagSeconds: null };
    const chains = [1, 10, 8453].map((chainId) => {
      const last = logs.findLast((log) => log.chainId === chainId);
      const { blockNumber, blockHash, blockTimestamp } = last ?? expect.fail(`no log on chain ${chainId}`);
      const indexed = { number: Number(blockNumber), hash: blockHash, timestamp: Number(blockTimestamp) };
      return { chainId, indexed, ...unknown };
    });
    expect(json).toEqual({
      engine: engine.name,
      isDemo: false,
      isLoading: false,
      loading: null,
      dataVersion: expect.any(Number),
      counts: { logs: logs.length, unfoldedLogs: 0, ignoredOps: 1, lists: 2, accounts: 2, follows: 1, ranked: 2 },
      ranksMadeAt: new Date(NOW * 1000).toISOString(),
      chains,
      chainsNotIndexed: [],
      faults: [],
      databaseFault: null,
      sources: { names: 'none', badges: 'none' },
    });
  });

  it('returns a ranking of the future as one of now from /status', async () => {
    const early = await fixture.serve(await fixture.open(), { now: () => (NOW - 86_400) * 1000 });
    const { json } = await fetchAnswer(`${early.url}/status`);
    expect(json.ranksMadeAt).toBe(new Date((NOW - 86_400) * 1000).toISOString());
  });

  it('renders /metrics in the Prometheus text format', async () => {
    const { status, headers, text } = await get('/metrics');
    expect({ status, type: headers.get('content-type') }).toEqual({
      status: 200,
      type: expect.stringMatching(/^text\/plain; version=0\.0\.4/),
    });
    const sample = /^[a-z_:][a-z0-9_:]*(\{[a-z_]+="(\\.|[^"\\])*"(,[a-z_]+="(\\.|[^"\\])*")*\})? (\S+)$/i;
    const isNumber = (value = '') => /^[+-]?Inf$|^NaN$/.test(value) || !Number.isNaN(Number(value));
    const invalid = text
      .split('\n')
      .filter((line) => line !== '' && !/^# (HELP|TYPE) \w+ \S/.test(line))
      .filter((line) => !sample.test(line) || !isNumber(line.split(' ').at(-1)));
    expect(invalid).toEqual([]);
    expect(text.endsWith('\n')).toBe(true);
  });

  it.each(['kith_http_requests_total', 'kith_rpc_faults_total', 'kith_reorgs_total'])(
    'declares the metric %s as a counter',
    async (name) => {
      expect((await get('/metrics')).text).toContain(`# TYPE ${name} counter\n`);
    },
  );

  it.each([
    ['kith_rows{of="follows"}', 1],
    ['kith_rows{of="lists"}', 2],
    ['kith_ignored_ops', 1],
    ['kith_chain_indexed_block{chain="8453"}', 1009],
    ['kith_ranks_timestamp_seconds', NOW],
    ['kith_ranks_stale', 0],
  ])('sets the metric %s from the database', async (name, value) => {
    expect((await metricsOf(service)).get(name)).toBe(value);
  });

  it('serves every operation at /docs, without third-party assets or inline scripts', async () => {
    const { status, headers, text } = await get('/docs');
    expect({ status, type: headers.get('content-type') }).toEqual({
      status: 200,
      type: expect.stringMatching(/^text\/html/),
    });
    const assets = [...text.matchAll(/<(?:script|link)[^>]* (?:src|href)="([^"]*)"/g)].map(([, asset = '']) => asset);
    expect(assets.length).toBeGreaterThan(3);
    for (const asset of assets) {
      expect({ asset, status: (await get(asset)).status }).toEqual({ asset, status: 200 });
    }
    expect(text).not.toMatch(/<script[^>]*>[^<\s]|<style|\son\w+=|\sstyle=/);
    const { paths, components } = (await get('/openapi.json')).json;
    const ids = new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    for (const methods of Object.values<object>(paths)) {
      for (const { operationId } of Object.values(methods)) expect(ids).toContain(operationId);
    }
    for (const name of Object.keys(components.schemas)) expect(ids).toContain(`type-${name}`);
    // Within the page, and without a reference that is not rendered.
    const targets = [...text.matchAll(/ href="#([^"]+)"/g)].map(([, target]) => target);
    expect(targets.filter((target) => !ids.has(target))).toEqual([]);
    expect(text).not.toMatch(/undefined|\[object|NaN/);
  });
});

describe.each(anyEngine)('request metrics', (engine) => {
  const fixture = new ServiceFixture(engine);
  afterEach(() => fixture.close());

  async function serve(): Promise<Service> {
    const store = await fixture.open();
    await loadLogs(store, logsOf([...annsList, follow(ANNS, BOB)]));
    return fixture.serve(store);
  }

  it('count requests by route, status and cache state', async () => {
    const service = await serve();
    const { headers } = await service.get(followers);
    for (let i = 0; i < 3; i += 1) await service.get(followers);
    await service.get(`${followers}?cache=fresh`);
    await service.get(followers, { headers: { 'if-none-match': headers.get('etag') ?? '' } });
    await service.get(`${followers}?limit=0`);
    await service.get('/lists/999/details');
    await service.get('/nowhere');
    await service.get(followers, { method: 'DELETE' });
    const metrics = await metricsOf(service);
    const counted = [...metrics].filter(([name]) => name.startsWith('kith_http_requests_total{'));
    const route = '/users/:addressOrENS/followers';
    expect(Object.fromEntries(counted)).toEqual({
      [`kith_http_requests_total{route="${route}",status="200",cache="MISS"}`]: 1,
      [`kith_http_requests_total{route="${route}",status="200",cache="HIT"}`]: 3,
      [`kith_http_requests_total{route="${route}",status="200",cache="FRESH"}`]: 1,
      [`kith_http_requests_total{route="${route}",status="304",cache="HIT"}`]: 1,
      [`kith_http_requests_total{route="${route}",status="400",cache="NONE"}`]: 1,
      'kith_http_requests_total{route="/lists/:token_id/details",status="404",cache="NONE"}': 1,
      'kith_http_requests_total{route="unknown",status="404",cache="NONE"}': 1,
      'kith_http_requests_total{route="unknown",status="405",cache="NONE"}': 1,
    });
    expect(metrics.get(`kith_http_request_seconds_count{route="${route}"}`)).toBe(2);
  });

  it('count error responses by the code of the problem', async () => {
    const service = await serve();
    await service.get(`${followers}?limit=0`);
    await service.get('/nowhere');
    const metrics = await metricsOf(service);
    const counted = [...metrics].filter(([name, value]) => name.startsWith('kith_http_problems_total{') && value > 0);
    expect(Object.fromEntries(counted)).toEqual({
      'kith_http_problems_total{code="invalid-parameter"}': 1,
      'kith_http_problems_total{code="unknown-path"}': 1,
    });
    expect(metrics.get('kith_http_problems_total{code="overloaded"}')).toBe(0);
  });

  it('count open connections and those that were dropped', async () => {
    const store = await fixture.open();
    const service = await fixture.serve(store, { limits: { maxConnections: 1 } });
    const { hostname: host, port } = new URL(service.url);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    await scrape(service.url, agent);
    const closed = once(connect(Number(port), host), 'close');
    await expect.poll(() => Object.keys(agent.freeSockets)).toEqual([]);
    const text = await scrape(service.url, agent);
    await closed;
    expect(text).toContain('kith_http_connections 1\n');
    expect(text).toContain('kith_http_connections_dropped_total 2\n');
  });

  it('do not count the answers to probes', async () => {
    const service = await fixture.serve(await fixture.open());
    expect((await fetchAnswer(`${service.url}/ready`)).status).toBe(503);
    expect((await fetchAnswer(`${service.url}/health`)).status).toBe(200);
    const metrics = await metricsOf(service);
    expect([...metrics.keys()].filter((name) => name.startsWith('kith_http_requests_total{'))).toEqual([]);
    expect(metrics.get('kith_http_problems_total{code="unavailable"}')).toBe(0);
  });

  it('have one series for all unknown paths', async () => {
    const service = await serve();
    for (let i = 0; i < 50; i += 1) await fetchAnswer(`${service.url}/nowhere/${i}`);
    const series = [...(await metricsOf(service)).keys()].filter((name) =>
      name.startsWith('kith_http_requests_total{'),
    );
    expect(series).toEqual(['kith_http_requests_total{route="unknown",status="404",cache="NONE"}']);
  });
});

/** Returns the text of /metrics, on a connection of the agent. */
async function scrape(url: string, agent: Agent): Promise<string> {
  const [response] = (await once(request(`${url}/metrics`, { agent }).end(), 'response')) as [IncomingMessage];
  return text(response);
}

/** Returns the samples by name and labels. */
async function metricsOf({ url }: Service): Promise<Map<string, number>> {
  const { text } = await fetchAnswer(`${url}/metrics`);
  const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    samples.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  );
}
