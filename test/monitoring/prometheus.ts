import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { follow, PROJECT } from '../commands/run-kith.ts';
import { freePort } from '../support/free-port.ts';
import { findPrometheus } from '../support/programs.ts';
import { fetchAnswer } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

/** Addresses that are scraped, by job. */
export type Targets = Readonly<Record<string, readonly string[]>>;

interface Sample {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [number, string];
}

interface Rule {
  readonly name: string;
  readonly query: string;
  readonly duration: number;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

export interface Prometheus {
  query(expr: string): Promise<readonly Sample[]>;
  rules(): Promise<readonly Rule[]>;
  /** The types of all metrics by name. */
  types(): Promise<Map<string, string>>;
  stop(): Promise<void>;
}

/** Runs Prometheus with the shipped configuration and rules, except that it scrapes `targets`, every second. */
export async function startPrometheus(targets: Targets): Promise<Prometheus> {
  const folder = await mkdtemp(join(tmpdir(), 'kith-prometheus-'));
  await cp(join(PROJECT, 'deploy/prometheus'), folder, { recursive: true });
  const file = join(folder, 'prometheus.yml');
  const shipped = await readFile(file, 'utf8');
  await writeFile(file, shipped.replaceAll(/(scrape|evaluation)_interval: 15s/g, '$1_interval: 1s'));
  const groups = Object.entries(targets).map(([job, addresses]) => ({ targets: addresses, labels: { job } }));
  await writeFile(join(folder, 'targets.yml'), JSON.stringify(groups));
  const address = `127.0.0.1:${await freePort()}`;
  const args = [`--config.file=${file}`, `--storage.tsdb.path=${folder}/data`, `--web.listen-address=${address}`];
  const running = follow(findPrometheus('prometheus'), args, { env: {} });
  const get = async (path: string) => {
    const { status, json, text } = await fetchAnswer(`http://${address}/api/v1/${path}`);
    if (status !== 200) throw new Error(`Prometheus answered ${path} with ${status}: ${text}`);
    return json.data;
  };
  const count = Object.values(targets).flat().length;
  await waitFor(async () => {
    const { activeTargets } = await get('targets');
    expect(activeTargets.filter(({ health }: { health: string }) => health === 'up')).toHaveLength(count);
  });
  return {
    query: async (expr) => (await get(`query?query=${encodeURIComponent(expr)}`)).result,
    rules: async () => (await get('rules')).groups.flatMap(({ rules }: { rules: Rule[] }) => rules),
    async types() {
      const metadata: Record<string, [{ type: string }]> = await get('metadata');
      return new Map(Object.entries(metadata).map(([name, [{ type }]]) => [name, type]));
    },
    async stop() {
      running.child.kill('SIGTERM');
      await running.outcome;
      await rm(folder, { recursive: true });
    },
  };
}
