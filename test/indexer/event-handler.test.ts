import { pino } from 'pino';
import { type Hex, keccak256, stringToHex } from 'viem';
import { beforeEach, describe, expect, it } from 'vitest';
import { createChainCursor } from '../../src/indexer/chain-cursor.ts';
import type { ChainEvent } from '../../src/indexer/chain-event.ts';
import { type ChainWriter, createChainWriter } from '../../src/indexer/chain-writer.ts';
import { createCounters } from '../../src/indexer/counters.ts';
import { createEventHandler, type EventHandler } from '../../src/indexer/event-handler.ts';
import { createLogLoader, type LogLoader } from '../../src/ingest/load-logs.ts';
import { createRoleOf, deployments } from '../../src/protocol/deployments.ts';
import { parseRawLog } from '../../src/protocol/parse-log.ts';
import { RemoteError } from '../../src/remote/remote-error.ts';
import type { Store } from '../../src/store/store.ts';
import { ANN, ANNS, annsList, BOB, follow, logsOf } from '../model/small-history.ts';
import { useOwnDatabase } from '../store/own-database.ts';
import { engines } from '../support/engines.ts';

const LOGS = logsOf([...annsList, follow(ANNS, BOB)]).map(parseRawLog);
const OUTAGE: ChainEvent = {
  kind: 'unavailable',
  error: new RemoteError('node.example', 'eth_getLogs', { kind: 'unreachable', message: 'ECONNREFUSED' }),
};

describe.each(engines.slice(0, 1))('event handler of the indexer on $name', (engine) => {
  const own = useOwnDatabase(engine);
  let store: Store;
  let loader: LogLoader;
  let handler: EventHandler;
  let progress: string[];
  let joined: string[];
  let log: { msg: string; level: number; time: number; logs?: number; depth?: number }[];
  let base: ChainWriter;
  let optimism: ChainWriter;
  let time: number;

  const createWriter = (chainId: number) =>
    createChainWriter({ chainId, roleOf: createRoleOf(deployments.mainnet), loader, now: () => 0 });
  beforeEach(async () => {
    store = await own.open();
    [progress, joined, log, time] = [[], [], [], 0];
    loader = createLogLoader({ now: () => 0 });
    handler = createEventHandler({
      chainIds: [8453, 10],
      write: store.transaction,
      loader,
      counters: createCounters(store),
      now: () => time,
      logger: pino({ base: null }, { write: (line) => log.push(JSON.parse(line)) }),
      showProgress: (chainId, from, to) => {
        progress.push(`${chainId}: ${from} to ${to}`);
        return {
          update: (block, logs) => progress.push(`${chainId}: ${block}, ${logs} logs`),
          end: () => progress.push(`${chainId}: end`),
        };
      },
      onRanked: async (_, accounts) => void joined.push(...(accounts ?? [])),
    });
    [base, optimism] = [createWriter(8453), createWriter(10)];
  });

  const lastBlock = Math.max(...LOGS.map((entry) => entry.blockNumber));
  const header = (number: number) => {
    const stored = LOGS.find(({ blockNumber }) => blockNumber === number);
    const hash: Hex = stored?.blockHash ?? keccak256(stringToHex(String(number)));
    return { number, hash, parentHash: '0x', time: stored?.blockTime ?? 0, logsBloom: '0x' } as const;
  };
  const heads = { head: header(lastBlock + 10), finalized: lastBlock };
  const start: ChainEvent = { kind: 'backfill-start', from: 1, to: lastBlock };
  const range: ChainEvent = { kind: 'range', logs: LOGS, last: header(lastBlock), heads, rangeSize: 10_000 };
  const end: ChainEvent = { kind: 'backfill-end' };
  const block = (number: number): ChainEvent => ({ kind: 'block', logs: [], block: header(number), heads });
  const handleAll = async (chain: ChainWriter, ...events: ChainEvent[]) => {
    for (const event of events) await handler.handle(chain, event);
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
    await handleAll(base, start, range);
    expect(await follows()).toBe(0);
    await handleAll(base, end);
    expect(await follows()).toBe(1);
    expect(joined.toSorted()).toEqual([ANN, BOB]);
    expect(progress).toEqual([`8453: 1 to ${lastBlock}`, `8453: ${lastBlock}, ${LOGS.length} logs`, '8453: end']);
  });

  it('folds when the last of several backfills ends', async () => {
    await handleAll(base, start);
    await handleAll(optimism, start);
    await handleAll(base, range, end);
    expect(await follows()).toBe(0);
    await handleAll(optimism, end);
    expect(await follows()).toBe(1);
  });

  it('does not wait for the backfill of a chain that has nothing to read until the next poll', async () => {
    await handleAll(optimism, start);
    await handleAll(base, start, range, end);
    expect(await follows()).toBe(0);
    await handleAll(optimism, { kind: 'idle', heads: null });
    expect(await follows()).toBe(1);
    expect(progress.at(-1)).toBe('10: end');
  });

  it.each<[string, ChainEvent[]]>([
    ['its nodes are unavailable', [OUTAGE]],
    ['its nodes do not answer', []],
  ])('stops waiting for a backfill without events for 30 s because %s', async (_, events) => {
    await handleAll(optimism, start, ...events);
    await handleAll(base, start, range, end);
    time = 29_999;
    await handler.tick();
    expect(await follows()).toBe(0);
    time = 30_000;
    await handler.tick();
    expect(await follows()).toBe(1);
  });

  it('folds every block at once while the only backfill is stalled', async () => {
    await handleAll(optimism, start);
    time = 30_000;
    await handler.tick();
    await handleAll(base, { kind: 'block', logs: LOGS, block: header(lastBlock), heads });
    expect(await follows()).toBe(1);
  });

  it('waits again for a stalled backfill once it has another event', async () => {
    await handleAll(base, start);
    time = 30_000;
    await handler.tick();
    await handleAll(base, range);
    await handler.tick();
    expect(await follows()).toBe(0);
    await handleAll(base, end);
    expect(await follows()).toBe(1);
  });

  it('resumes a backfill that was interrupted by an outage', async () => {
    await handleAll(base, start, OUTAGE, start, range);
    expect(await follows()).toBe(0);
    await handleAll(base, end);
    expect(await follows()).toBe(1);
  });

  it.each<[string, ChainEvent[]]>([
    ['works', []],
    ['has become unavailable', [OUTAGE]],
  ])('marks the graph as loaded when the last chain was read, while the first one %s', async (_, events) => {
    const idle: ChainEvent = { kind: 'idle', heads };
    await handleAll(base, start, range, end, idle, ...events);
    expect(await isLoaded()).toBe(false);
    await handleAll(optimism, start, range, end, idle);
    expect(await isLoaded()).toBe(true);
  });

  it('marks the graph as loaded if an earlier process has read the chain that is unavailable now', async () => {
    await handleAll(base, block(heads.head.number), OUTAGE);
    await handleAll(optimism, start, range, end, { kind: 'idle', heads });
    expect(await isLoaded()).toBe(true);
  });

  it('does not mark the graph as loaded while a chain is behind its head', async () => {
    await handleAll(base, block(heads.head.number - 1), OUTAGE);
    await handleAll(optimism, start, range, end, { kind: 'idle', heads });
    expect(await isLoaded()).toBe(false);
  });

  it('logs an outage in a backfill when it begins and when it ends, with the node and without a stack trace', async () => {
    await handleAll(base, start, OUTAGE, OUTAGE, start, range);
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
    const read = async (chain: ChainWriter, number: number) =>
      handler.handle(chain, { kind: 'range', logs: [], last: header(number), heads, rangeSize: 10_000 });
    for (const chain of [base, optimism]) await handleAll(chain, { kind: 'backfill-start', from: 1, to: 1_000_000 });
    for (const seconds of [0, 30, 60]) {
      time = seconds * 1000;
      await read(base, 1_000 * seconds);
      if (seconds > 0) await read(optimism, 100 * seconds);
    }
    expect(await endsAt()).toBe(0);
    time = 90_000;
    await read(optimism, 9_000);
    expect(await endsAt()).toBe(time + 9_910_000);
    await handleAll(optimism, end);
    await read(base, 90_000);
    expect(await endsAt()).toBe(time + 910_000);
    time = 120_000;
    await handleAll(optimism, { kind: 'backfill-start', from: 1, to: 1_000_000 });
    await read(base, 120_000);
    expect(await endsAt()).toBe(0);
  });

  it('stores blocks of other chains during a backfill, and folds them at its end', async () => {
    await handleAll(optimism, start);
    await handleAll(base, { kind: 'block', logs: LOGS, block: header(lastBlock), heads });
    expect(await follows()).toBe(0);
    await handleAll(optimism, end);
    expect(await follows()).toBe(1);
  });

  it('folds a block in its own transaction when no backfill runs', async () => {
    await handleAll(base, { kind: 'block', logs: LOGS, block: header(lastBlock), heads });
    expect(await follows()).toBe(1);
  });

  it('folds logs at the start that an earlier process stored but did not fold', async () => {
    await handleAll(base, start, range);
    expect(await follows()).toBe(0);
    await handler.start();
    expect(await follows()).toBe(1);
  });

  it('rolls back the logs above the fork of a reorg, and logs how many', async () => {
    const fork = { number: 0, hash: header(0).hash };
    const early = { ...heads, finalized: 0 };
    await handleAll(base, block(0), { kind: 'block', logs: LOGS, block: header(lastBlock), heads: early });
    await handleAll(base, { kind: 'reorg', fork, time: 7, depth: lastBlock });
    expect(await follows()).toBe(0);
    expect(log.filter(({ level }) => level === 40)).toMatchObject([
      { msg: `reorg: rolled back ${LOGS.length} logs`, chain: 8453, depth: lastBlock, logs: LOGS.length },
    ]);
    const cursor = createChainCursor(store.reader, 8453);
    expect(await cursor.readCursor()).toMatchObject({ ...fork, time: 7 });
    expect(await cursor.readRecent()).toEqual([fork]);
  });

  it('writes the heads of the chain when it is idle', async () => {
    await handleAll(base, block(1), { kind: 'idle', heads: { head: header(3_000), finalized: 2_000 } });
    const cursor = await createChainCursor(store.reader, 8453).readCursor();
    expect(cursor).toMatchObject({ number: 1, head_number: 3_000, finalized_number: 2_000 });
  });

  it('keeps the highest final block if a node reports a lower one', async () => {
    await handleAll(base, block(1), { kind: 'idle', heads: { head: header(3_000), finalized: 2_000 } });
    await handleAll(base, { kind: 'idle', heads: { head: header(3_000), finalized: 0 } });
    await handleAll(base, { kind: 'block', logs: [], block: header(2), heads: { head: header(3_000), finalized: 0 } });
    const cursor = await createChainCursor(store.reader, 8453).readCursor();
    expect(cursor).toMatchObject({ number: 2, finalized_number: 2_000 });
  });

  it('reads the cursor while a write transaction is open', async () => {
    await handleAll(base, block(1));
    const { readCursor } = createChainCursor(store.reader, 8453);
    await store.transaction(async (tx) => {
      await base.storeBlock(tx, { logs: [], block: header(2), heads });
      expect(await readCursor()).toMatchObject({ number: 1 });
    });
    expect(await readCursor()).toMatchObject({ number: 2 });
  });
});
