import { pino } from 'pino';
import { type Hex, keccak256, stringToHex } from 'viem';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  createChainWriter,
  createIndexedChains,
  type IndexedChain,
  type IndexedChains,
} from '../../src/indexer/indexed-chain.ts';
import { createCounters } from '../../src/indexer/session.ts';
import { createLogLoader, type LogLoader } from '../../src/ingest/load-logs.ts';
import { createRoleOf, deployments } from '../../src/protocol/deployments.ts';
import { parseRawLog } from '../../src/protocol/parse-log.ts';
import { RemoteError } from '../../src/remote/remote-error.ts';
import type { Store } from '../../src/store/store.ts';
import { ANN, ANNS, annsList, BOB, follow, logsOf } from '../model/small-history.ts';
import { useOwnDatabase } from '../store/own-database.ts';
import { engines } from '../support/engines.ts';

const LOGS = logsOf([...annsList, follow(ANNS, BOB)]).map(parseRawLog);
/** Something that happens on a chain. */
type Step = (chain: IndexedChain) => Promise<void> | void;
const outage: Step = (chain) =>
  chain.unavailable(new RemoteError('node.example', 'eth_getLogs', { kind: 'unreachable', message: 'ECONNREFUSED' }));

describe.each(engines.slice(0, 1))('the indexed chains on $name', (engine) => {
  const own = useOwnDatabase(engine);
  let store: Store;
  let loader: LogLoader;
  let indexed: IndexedChains;
  let progress: string[];
  let joined: string[];
  let log: { msg: string; level: number; time: number; logs?: number; depth?: number }[];
  let base: IndexedChain;
  let optimism: IndexedChain;
  let time: number;

  const roleOf = createRoleOf(deployments.mainnet);
  beforeEach(async () => {
    store = await own.open();
    [progress, joined, log, time] = [[], [], [], 0];
    loader = createLogLoader({ now: () => 0 });
    indexed = createIndexedChains({
      chainIds: [8453, 10],
      roleOf,
      reader: store.reader,
      write: store.transaction,
      loader,
      counters: createCounters(store),
      now: () => time,
      monotonic: () => time,
      logger: pino({ base: null }, { write: (line) => log.push(JSON.parse(line)) }),
      showProgress: (chainId, from, to) => {
        progress.push(`${chainId}: ${from} to ${to}`);
        return {
          update: (block, logs) => progress.push(`${chainId}: ${block}, ${logs} logs`),
          end: () => progress.push(`${chainId}: end`),
        };
      },
      onRanked: async (_, accounts) => void joined.push(...(accounts ?? [])),
      endsWithChains: false,
    });
    // Safe: there is a chain for each id.
    [base, optimism] = indexed.chains as [IndexedChain, IndexedChain];
  });

  const lastBlock = Math.max(...LOGS.map((entry) => entry.blockNumber));
  const logOf = (number: number) => LOGS.find(({ blockNumber }) => blockNumber === number);
  const hashOf = (number: number): Hex => logOf(number)?.blockHash ?? keccak256(stringToHex(String(number)));
  const header = (number: number) => {
    const [hash, parentHash] = [hashOf(number), hashOf(number - 1)];
    return { number, hash, parentHash, time: logOf(number)?.blockTime ?? 0, logsBloom: '0x' } as const;
  };
  const heads = { head: header(lastBlock + 10), finalized: lastBlock };
  const start: Step = (chain) => chain.startBackfill(1, lastBlock);
  const end: Step = (chain) => chain.endBackfill();
  const idle: Step = (chain) => chain.caughtUp(heads);
  /** Blocks that continue what is stored. */
  const rangeTo =
    (number: number, logs = LOGS): Step =>
    async (chain) =>
      chain.storeRange({ after: await chain.readCursor(), logs, last: header(number), heads, rangeSize: 10_000 });
  const range = rangeTo(lastBlock);
  /** A block on top of the stored one. */
  const block =
    (number: number, logs: typeof LOGS = [], known = heads): Step =>
    async (chain) => {
      const stored = header(number);
      const cursor = await chain.readCursor();
      if (cursor?.hash !== stored.parentHash) {
        const rest = cursor ?? { time: 0, head_number: 0, head_time: 0, finalized_number: 0, checked_at: 0 };
        const parent = { number: number - 1, hash: stored.parentHash };
        await store.transaction((tx) => tx.upsert('cursors', [{ ...rest, chain_id: chain.chainId, ...parent }]));
      }
      await chain.storeBlocks([{ logs, block: stored, heads: known }]);
    };
  const runAll = async (chain: IndexedChain, ...steps: Step[]) => {
    for (const step of steps) await step(chain);
  };
  const isLoaded = async () => {
    const [row] = await store.transaction((tx) => tx.read('state', ['key'], [['is_loaded']]));
    return row?.value === 1;
  };
  const follows = async () => {
    const [row] = await store.transaction((tx) => tx.read('state', ['key'], [['follows']]));
    return row?.value;
  };

  it('stores the ranges of a backfill and folds them when it ends', async () => {
    await runAll(base, start, range);
    expect(await follows()).toBe(0);
    await runAll(base, end);
    expect(await follows()).toBe(1);
    expect(joined.toSorted()).toEqual([ANN, BOB]);
    expect(progress).toEqual([`8453: 1 to ${lastBlock}`, `8453: ${lastBlock}, ${LOGS.length} logs`, '8453: end']);
  });

  it('folds when the last of several backfills ends', async () => {
    await runAll(base, start);
    await runAll(optimism, start);
    await runAll(base, range, end);
    expect(await follows()).toBe(0);
    await runAll(optimism, end);
    expect(await follows()).toBe(1);
  });

  it('does not wait for the backfill of a chain that has nothing to read until the next poll', async () => {
    await runAll(optimism, start);
    await runAll(base, start, range, end);
    expect(await follows()).toBe(0);
    await runAll(optimism, end);
    expect(await follows()).toBe(1);
    expect(progress.at(-1)).toBe('10: end');
  });

  it.each<[string, Step[]]>([
    ['its nodes are unavailable', [outage]],
    ['its nodes do not answer', []],
  ])('stops waiting for a backfill without events for 30 s because %s', async (_, events) => {
    await runAll(optimism, start, ...events);
    await runAll(base, start, range, end);
    time = 29_999;
    await indexed.checkStalled();
    expect(await follows()).toBe(0);
    time = 30_000;
    await indexed.checkStalled();
    expect(await follows()).toBe(1);
  });

  it('folds every block at once while the only backfill is stalled', async () => {
    await runAll(optimism, start);
    time = 30_000;
    await indexed.checkStalled();
    await runAll(base, block(lastBlock, LOGS));
    expect(await follows()).toBe(1);
  });

  it('waits again for a stalled backfill once it has another event', async () => {
    await runAll(base, start);
    time = 30_000;
    await indexed.checkStalled();
    await runAll(base, range);
    await indexed.checkStalled();
    expect(await follows()).toBe(0);
    await runAll(base, end);
    expect(await follows()).toBe(1);
  });

  it('resumes a backfill that was interrupted by an outage', async () => {
    await runAll(base, start, outage, start, range);
    expect(await follows()).toBe(0);
    await runAll(base, end);
    expect(await follows()).toBe(1);
  });

  it.each<[string, Step[]]>([
    ['works', []],
    ['has become unavailable', [outage]],
  ])('marks the graph as loaded when the last chain was read, while the first one %s', async (_, events) => {
    await runAll(base, start, range, end, idle, ...events);
    expect(await isLoaded()).toBe(false);
    await runAll(optimism, start, range, end, idle);
    expect(await isLoaded()).toBe(true);
  });

  it('marks the graph as loaded if an earlier process has read the chain that is unavailable now', async () => {
    await runAll(base, block(heads.head.number), outage);
    await runAll(optimism, start, range, end, idle);
    expect(await isLoaded()).toBe(true);
  });

  it('does not mark the graph as loaded while a chain is behind its head', async () => {
    await runAll(base, block(heads.head.number - 1), outage);
    await runAll(optimism, start, range, end, idle);
    expect(await isLoaded()).toBe(false);
  });

  it('logs an outage in a backfill when it begins and when it ends, with the node and without a stack trace', async () => {
    await runAll(base, start, outage, outage, start, range);
    const reason = 'node.example: eth_getLogs: unreachable: ECONNREFUSED';
    const fault = { msg: 'no RPC node is available, retrying', chain: 8453, kind: 'unreachable', reason };
    expect(log.map(({ time, ...line }) => line)).toEqual([
      { level: 40, ...fault },
      { level: 30, msg: 'the chain is being indexed again', chain: 8453 },
    ]);
  });

  it('stores when the slowest backfill will end, once that is known', async () => {
    const endsAt = async () =>
      (await store.transaction((tx) => tx.read('state', ['key'], [['load_ends_at']])))[0]?.value;
    const read = async (chain: IndexedChain, number: number) => runAll(chain, rangeTo(number, []));
    for (const chain of [base, optimism]) await runAll(chain, (it) => it.startBackfill(1, 1_000_000));
    for (const seconds of [0, 30, 60]) {
      time = seconds * 1000;
      await read(base, 1_000 * seconds);
      if (seconds > 0) await read(optimism, 100 * seconds);
    }
    expect(await endsAt()).toBe(0);
    time = 90_000;
    await read(optimism, 9_000);
    expect(await endsAt()).toBe(time + 9_910_000);
    await runAll(optimism, end);
    await read(base, 90_000);
    expect(await endsAt()).toBe(time + 910_000);
    time = 120_000;
    await runAll(optimism, (it) => it.startBackfill(1, 1_000_000));
    await read(base, 120_000);
    expect(await endsAt()).toBe(0);
  });

  it('stores blocks of other chains during a backfill, and folds them at its end', async () => {
    await runAll(optimism, start);
    await runAll(base, block(lastBlock, LOGS));
    expect(await follows()).toBe(0);
    await runAll(optimism, end);
    expect(await follows()).toBe(1);
  });

  it('folds a block in its own transaction when no backfill runs', async () => {
    await runAll(base, block(lastBlock, LOGS));
    expect(await follows()).toBe(1);
  });

  it('folds logs at the start that an earlier process stored but did not fold', async () => {
    await runAll(base, start, range);
    expect(await follows()).toBe(0);
    await indexed.foldStored();
    expect(await follows()).toBe(1);
  });

  it('rolls back the logs above the fork of a reorg, and logs how many', async () => {
    const fork = { number: 0, hash: header(0).hash };
    const early = { ...heads, finalized: 0 };
    await runAll(base, block(0), block(lastBlock, LOGS, early));
    await runAll(base, (chain) => chain.rewind({ last: header(lastBlock), fork, time: 7 }));
    expect(await follows()).toBe(0);
    expect(log.filter(({ level }) => level === 40)).toMatchObject([
      { msg: `reorg: rolled back ${LOGS.length} logs`, chain: 8453, depth: lastBlock, logs: LOGS.length },
    ]);
    expect(await base.readCursor()).toMatchObject({ ...fork, time: 7 });
    expect(await base.readRecent()).toEqual([fork]);
  });

  it('takes the logs of a reorg out of the graph while another chain loads and logs wait for a fold', async () => {
    const fork = { number: 0, hash: header(0).hash };
    await runAll(base, block(0), block(lastBlock, LOGS, { ...heads, finalized: 0 }));
    expect(await follows()).toBe(1);
    await runAll(optimism, start, rangeTo(10, []));
    await store.transaction((tx) => tx.count({ unfolded_logs: 1 }));
    await runAll(base, (chain) => chain.rewind({ last: header(lastBlock), fork, time: 7 }));
    expect(await follows()).toBe(0);
    await runAll(base, block(lastBlock, LOGS));
    await runAll(optimism, end);
    expect(await follows()).toBe(1);
  });

  it('writes the heads of the chain when it is idle', async () => {
    await runAll(base, block(1), (chain) => chain.caughtUp({ head: header(3_000), finalized: 2_000 }));
    const cursor = await base.readCursor();
    expect(cursor).toMatchObject({ number: 1, head_number: 3_000, finalized_number: 2_000 });
  });

  it('keeps the highest final block if a node reports a lower one', async () => {
    await runAll(base, block(1), (chain) => chain.caughtUp({ head: header(3_000), finalized: 2_000 }));
    await runAll(base, (chain) => chain.caughtUp({ head: header(3_000), finalized: 0 }));
    await runAll(base, block(2, [], { head: header(3_000), finalized: 0 }));
    const cursor = await base.readCursor();
    expect(cursor).toMatchObject({ number: 2, finalized_number: 2_000 });
  });

  it('reads the cursor while a write transaction is open', async () => {
    await runAll(base, block(1));
    const { readCursor } = base;
    await store.transaction(async (tx) => {
      await createChainWriter(8453, { roleOf, loader, now: () => 0 }).storeBlocks(tx, [
        {
          logs: [],
          block: header(2),
          heads,
        },
      ]);
      expect(await readCursor()).toMatchObject({ number: 1 });
    });
    expect(await readCursor()).toMatchObject({ number: 2 });
  });
});
