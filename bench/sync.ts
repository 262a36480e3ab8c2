import { parseArgs } from 'node:util';
import { demoLogs } from '../src/demo/demo-logs.ts';
import { deployments } from '../src/protocol/deployments.ts';
import type { RawLog } from '../src/protocol/parse-log.ts';
import { CHAINS, indexOnce } from '../test/indexer/harness.ts';
import { type SparseProvider, startSparseProvider } from '../test/indexer/sparse-provider.ts';
import { createScratchFolder, NOW } from './ingest/time-loads.ts';
import { sum, whole } from './numbers.ts';

/**
 * Counts the JSON-RPC calls of a first sync from simulated providers with chains of real length.
 * `npm run bench:sync -- --accounts 48000`
 */
const { values } = parseArgs({ options: { accounts: { type: 'string', default: '48000' } } });

/** In November 2026. */
const HEADS: Readonly<Record<number, number>> = { 8453: 54_100_000, 10: 159_700_000, 1: 26_400_000 };
/** Each limit on blocks, with the part of each chain that is read: the calls for the whole are computed from it. */
const PROVIDERS = [
  { maxBlocks: 10_000, part: 1 },
  { maxBlocks: 500, part: 1 / 10 },
  { maxBlocks: 10, part: 1 / 500 },
];
/** What the indexer uses of 25 calls per second: the rest is for kith verify. */
const CALLS_PER_SECOND = (25 * 3) / 4;

const logs = [...demoLogs({ accounts: Number(values.accounts), seed: 1, now: NOW })];
console.log(`${whole(logs.length)} logs, ${whole(sum(CHAINS.map(lengthOf)))} blocks of ${CHAINS.length} chains\n`);
console.log('| blocks per request | logs with times | calls | calls per needed range | time at 25 calls per second |');
console.log('| -----------------: | --------------- | ----: | ---------------------: | --------------------------: |');
const scratch = await createScratchFolder();
for (const { maxBlocks, part } of PROVIDERS)
  for (const hasTimes of [true, false]) {
    const startedAt = performance.now();
    const nodes = await startProviders(maxBlocks, part, hasTimes);
    const store = await scratch.openFresh(true);
    const startBlocks = new Map(CHAINS.map((chainId) => [chainId, firstOf(chainId)]));
    await indexOnce(store, nodes, { startBlocks, pollMs: 3_600_000, ranksMs: 3_600_000, rpcTimeoutMs: 60_000 });
    await store.close();
    for (const node of nodes) await node.stop();
    const callsOf = (node: SparseProvider) => sum([...node.calls.values()]) / part;
    const calls = sum(nodes.map(callsOf));
    const needed = sum(CHAINS.map((chainId) => Math.ceil(lengthOf(chainId) / maxBlocks)));
    // Each chain has a node of its own; the longest takes the longest.
    const seconds = Math.max(...nodes.map(callsOf)) / CALLS_PER_SECOND;
    const cells = [
      whole(maxBlocks),
      hasTimes ? 'yes' : 'no',
      whole(calls),
      (calls / needed).toFixed(2),
      inWords(seconds),
    ];
    const note = part === 1 ? `read in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s without a limit` : '';
    console.log(`| ${cells.join(' | ')} | ${note}`);
  }
await scratch.close();

function firstOf(chainId: number): number {
  return deployments.mainnet.startBlocks[chainId] ?? 0;
}

function lengthOf(chainId: number): number {
  return (HEADS[chainId] ?? 0) - firstOf(chainId);
}

function startProviders(maxBlocks: number, part: number, hasTimes: boolean): Promise<SparseProvider[]> {
  const some: readonly RawLog[] = logs.slice(0, Math.floor(logs.length * part));
  return Promise.all(
    CHAINS.map((chainId) =>
      startSparseProvider({
        chainId,
        first: firstOf(chainId),
        last: firstOf(chainId) + Math.floor(lengthOf(chainId) * part) - 1,
        logs: some.filter((log) => log.chainId === chainId),
        maxBlocks,
        hasTimes,
      }),
    ),
  );
}

function inWords(seconds: number): string {
  if (seconds < 5_400) return `${Math.ceil(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / 86_400)} days`;
}
