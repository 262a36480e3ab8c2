import { join } from 'node:path';
import { NaiveModel } from '../../test/model/naive-model.ts';
import { createRandom, type Random } from '../../test/model/random.ts';
import { randomHistory } from '../../test/model/random-history.ts';
import { atMost, type Drill, figure, holds } from '../drill.ts';
import { indexingEnv, isIndexed } from '../harness/indexing.ts';
import { startKith } from '../harness/kith.ts';
import { startLoadGenerator } from '../harness/load-generator.ts';
import { percentile, sleep, slopeOf, until } from '../harness/numbers.ts';
import { childrenOf, openFiles, residentMegabytes, startSampling } from '../harness/process-samples.ts';
import { FINAL_DEPTH, type SimulatedChain, startSimulatedChain } from '../harness/simulated-chain.ts';
import { pathsAbout } from '../harness/subjects.ts';
import { compareWithModel } from './soak/compare-with-model.ts';

const CHAINS = [8453, 10];
const BLOCK_MS = 400;
const LOGS_PER_BLOCK = 3;
const COMPARE_EVERY_MS = 10_000;
const REQUESTS_PER_SECOND = 100;
const INDEXED_LIMIT_MS = 30_000;
/** Between the second and the last quarter. The heap grows to its limit first. */
const MEMORY_BAR_MB = 40;
const FILES_BAR = 10;

export const soak: Drill = {
  name: 'soak',
  title: 'Mixed load with blocks and reorgs arriving, compared with the reference model',
  limitMinutes: 3,
  async run({ seed, soakMinutes, folder, defer, log }) {
    const random = createRandom(seed);
    const path = join(folder, 'soak.db');
    const chains = await Promise.all(
      CHAINS.map((chainId) => startSimulatedChain(chainId, Math.floor(Date.now() / 1000) - 3600)),
    );
    for (const chain of chains) defer(chain.stop);
    const server = await startKith('start', { DATABASE_URL: `sqlite:${path}`, ...indexingEnv(chains) });
    defer(server.stop);
    const load = startLoadGenerator();
    defer(load.stop);
    const ms = soakMinutes * 60_000;
    const history = randomHistory(seed, { logs: Math.ceil((ms / BLOCK_MS) * LOGS_PER_BLOCK) });
    const model = new NaiveModel();
    const feed = createFeed(chains, history, model, random);
    for (let i = 0; i < 50; i++) feed.next();
    await until(() => isIndexed(path, chains), INDEXED_LIMIT_MS);

    const pids = () => [server.pid, ...childrenOf(server.pid)];
    const total = (of: (pid: number) => number) => pids().reduce((sum, pid) => sum + of(pid), 0);
    const memory = startSampling(() => total(residentMegabytes), 1_000);
    const files = startSampling(() => total(openFiles), 1_000);
    const paths = model.accounts().flatMap((address) => pathsAbout({ address, name: '', list: '1' }));
    const users = paths.filter((one) => !one.includes('/lists/'));
    const loading = load.run({ port: server.port, paths: users, ms, connections: 50, perSecond: REQUESTS_PER_SECOND });
    const end = performance.now() + ms;
    const wrong: string[] = [];
    let compared = 0;
    let late = 0;
    while (performance.now() < end) {
      const pause = Math.min(end, performance.now() + COMPARE_EVERY_MS);
      while (performance.now() < pause) {
        feed.next();
        await sleep(BLOCK_MS);
      }
      if (!(await until(() => isIndexed(path, chains), INDEXED_LIMIT_MS))) {
        late += 1;
        continue;
      }
      model.rank();
      const result = await compareWithModel(server.port, model, random);
      compared += result.compared;
      wrong.push(...result.wrong);
      if (result.wrong.length > 0) log(`wrong: ${result.wrong[0]}`);
    }
    const { served, refused, failed, p99 } = await loading;
    memory.stop();
    files.stop();
    const [grown, opened] = [growth(memory.samples), growth(files.samples)];
    const values = memory.samples.map(([, megabytes]) => megabytes);
    return [
      figure(
        'blocks, reorgs and logs',
        `${feed.counts.blocks}, ${feed.counts.reorgs} and ${feed.counts.logs} in ${soakMinutes} min`,
      ),
      holds(
        'answers compared with the model',
        'all equal',
        wrong.length === 0 && compared > 0,
        `${wrong.length} of ${compared} differ`,
      ),
      holds('comparisons that had to wait for the indexer too long', 'none', late === 0, String(late)),
      holds(
        'load',
        'all served',
        refused + failed === 0,
        `${served} served, ${refused} refused, ${failed} failed, p99 ${p99.toFixed(1)} ms`,
      ),
      atMost('growth of resident memory, last quarter relative to the second', MEMORY_BAR_MB, grown, ' MB'),
      figure(
        'memory',
        `${Math.min(...values).toFixed(0)} to ${Math.max(...values).toFixed(0)} MB, slope of the last half ${(slopeOf(lastHalf(memory.samples)) * 3600).toFixed(0)} MB per hour`,
      ),
      atMost('growth of open files', FILES_BAR, opened),
      figure('open files', `slope of the last half ${(slopeOf(lastHalf(files.samples)) * 3600).toFixed(1)} per hour`),
    ];
  },
};

type Samples = readonly (readonly [number, number])[];

const lastHalf = (samples: Samples) => samples.slice(Math.floor(samples.length / 2));

function growth(samples: Samples): number {
  const quarter = Math.floor(samples.length / 4);
  const middle = (some: Samples) =>
    percentile(
      some.map(([, value]) => value),
      0.5,
    );
  return middle(samples.slice(-quarter)) - middle(samples.slice(quarter, 2 * quarter));
}

/** Mines the history block by block, with reorgs, and keeps the model equal to the chains. Orphaned logs are lost. */
function createFeed(
  chains: readonly SimulatedChain[],
  history: ReturnType<typeof randomHistory>,
  model: NaiveModel,
  random: Random,
) {
  const counts = { blocks: 0, reorgs: 0, logs: 0 };
  const left = history.values();
  const mine = (chain: SimulatedChain) => {
    const logs = [];
    for (let i = random.int(2 * LOGS_PER_BLOCK); i > 0; i--) {
      const { value } = left.next();
      if (value !== undefined) logs.push(value);
    }
    for (const one of chains) {
      const own = logs.filter(({ chainId }) => chainId === one.chainId);
      if (one !== chain && own.length === 0) continue;
      for (const log of one.mine(own)) model.add(log);
      counts.blocks += 1;
      counts.logs += own.length;
    }
  };
  return {
    counts,
    next() {
      const chain = random.pick(chains);
      if (chain.head().number > FINAL_DEPTH && random.chance(0.05)) {
        const depth = 1 + random.int(FINAL_DEPTH - 4);
        model.remove(chain.chainId, chain.rollBack(depth));
        for (let i = 0; i < depth; i++) mine(chain);
        counts.reorgs += 1;
      }
      mine(chain);
    },
  };
}
