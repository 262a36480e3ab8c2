import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROJECT } from '../commands/run-kith.ts';
import { type EvmNode, startNode } from '../indexer/evm-node.ts';
import { addressesOn } from '../indexer/harness.ts';
import { randomBlock } from '../indexer/reorg-support.ts';
import { createRandom } from '../model/random.ts';
import { engines } from '../support/engines.ts';
import { QUERIES } from './dashboard.ts';
import { type MonitoredKith, startMonitoredKith } from './monitored-kith.ts';
import { type Prometheus, startPrometheus } from './prometheus.ts';

const page = readFileSync(join(PROJECT, 'docs/monitoring.md'), 'utf8');

describe('Prometheus that scrapes kith serve and kith index on both engines', () => {
  const random = createRandom(5);
  const kiths: MonitoredKith[] = [];
  let node: EvmNode;
  let prometheus: Prometheus;
  beforeAll(async () => {
    node = await startNode(8453);
    await node.install(addressesOn(8453));
    for (let i = 0; i < 8; i++) await node.mine(randomBlock(random, 8453));
    for (const engine of engines) kiths.push(await startMonitoredKith(engine, node.url));
    const jobs = engines.map(({ name }, i) => [`kith-${name}`, kiths[i]?.targets ?? []]);
    prometheus = await startPrometheus(Object.fromEntries(jobs));
  });
  afterAll(async () => {
    await prometheus?.stop();
    for (const kith of kiths) await kith.stop();
    await node?.stop();
  });

  /** Waits until the query has a result, while there are requests and new blocks. */
  async function untilFound(expr: string) {
    await expect
      .poll(async () => {
        const found = await prometheus.query(expr);
        if (found.length > 0) return found.length;
        await node.mine(randomBlock(random, 8453));
        for (const kith of kiths) await kith.sendRequests();
        return 0;
      })
      .toBeGreaterThan(0);
    return prometheus.query(expr);
  }

  it.each(QUERIES)('has series for the query $refId of the panel $panel', async ({ expr, legendFormat }) => {
    const found = await untilFound(expr);
    const labels = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label);
    for (const { metric } of found) expect(Object.keys(metric)).toEqual(expect.arrayContaining(labels));
  });

  it('has series for every selector of every alert', async () => {
    const rules = await prometheus.rules();
    expect(rules.length).toBeGreaterThan(10);
    const selectors = rules.flatMap(({ query }) => query.match(/\b(kith_\w+|up)\b(\{[^}]*\})?/g) ?? []);
    for (const selector of new Set(selectors)) await untilFound(selector);
  });

  it('has the labels that alerts group by', async () => {
    for (const { query } of await prometheus.rules()) {
      const grouped = [...query.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(', '));
      const metrics = query.match(/\bkith_\w+/g) ?? [];
      const samples = [];
      for (const metric of metrics) samples.push(...(await untilFound(metric)));
      const labels = new Set(samples.flatMap(({ metric }) => Object.keys(metric)));
      expect({ query, missing: grouped.filter((label) => !labels.has(label)) }).toEqual({ query, missing: [] });
    }
  });

  it('has a severity, a summary, a description and a section of docs/monitoring.md for every alert', async () => {
    const rules = await prometheus.rules();
    for (const { name, labels, annotations } of rules) {
      expect(['critical', 'warning', 'info']).toContain(labels.severity);
      expect(annotations).toEqual({
        summary: expect.stringMatching(/\w/),
        description: expect.stringMatching(/\w.*\.$/),
        runbook: `docs/monitoring.md#${name.toLowerCase()}`,
      });
    }
    const sections = [...page.matchAll(/^### (Kith\w+)$/gm)].map(([, name]) => name);
    expect(sections.toSorted()).toEqual(rules.map(({ name }) => name).toSorted());
  });

  it('has the metrics, types and labels of docs/monitoring.md, besides those of Node', async () => {
    const types = [...(await prometheus.types())].filter(([name]) => /^kith_(?!nodejs_|process_)/.test(name));
    const documented = [...page.matchAll(/^\| `(kith_\w+)(?:\{([\w,]+)\})?` +\| (\w+) /gm)];
    expect(documented.map(([, name, , type]) => [name, type]).toSorted()).toEqual(types.toSorted());
    for (const [, name = '', list = '', type] of documented) {
      const [sample] = await prometheus.query(type === 'histogram' ? `${name}_count` : name);
      if (sample === undefined) continue;
      const { __name__, job, instance, ...labels } = sample.metric;
      expect({ name, labels: Object.keys(labels).toSorted() }).toEqual({
        name,
        labels: list.split(',').filter(Boolean).toSorted(),
      });
    }
  });
});
