import type { Logger } from 'pino';
import type { MonotonicMs, UnixMs } from '../async/unix-time.ts';
import { BadInputError } from '../errors/bad-input.ts';
import { OtherDeploymentError } from '../errors/operator-error.ts';
import { type ChainLog, EVENT_TOPICS } from '../protocol/decode-log.ts';
import { contractsOn, type Deployment, firstBlockOf } from '../protocol/deployments.ts';
import type { Address, Hex } from '../protocol/hex.ts';
import { RemoteError } from '../remote/remote-error.ts';
import { type ChainHeads, createChainNode } from '../rpc/chain-node.ts';
import { type BlockHeader, type ChainTrust, createBloomTest, defaultTrust, isFull } from '../rpc/check-logs.ts';
import { createEndpoint } from '../rpc/endpoint.ts';
import type { LimitOf } from '../rpc/node-limit.ts';
import { createRpcClient, type RpcClientOptions, WrongChainError } from '../rpc/rpc-client.ts';
import { type BackfillOptions, backfill } from './backfill.ts';
import { claimChain, EarlierStartBlockError } from './claim-chain.ts';
import type { IndexedChain, NewBlock } from './indexed-chain.ts';
import { createRangeSize } from './range-size.ts';
import { createHistoryReader } from './read-history.ts';
import { DeepReorgError, findReorg } from './reorg.ts';
import type { Session } from './session.ts';

export interface IndexChainOptions {
  readonly config: IndexerConfig;
  readonly logger: Logger;
  readonly now: () => UnixMs;
  readonly monotonic: () => MonotonicMs;
  readonly random: () => number;
  readonly fetch: typeof globalThis.fetch;
  readonly limitOf: LimitOf;
}

/** Errors that stop one chain. */
const CHAIN_ERRORS = [
  BadInputError,
  DeepReorgError,
  EarlierStartBlockError,
  OtherDeploymentError,
  WrongChainError,
] as const;
type ChainError = InstanceType<(typeof CHAIN_ERRORS)[number]>;
/** A stopped chain is tried again after this many polling intervals: by default, a minute. */
const STOPPED_POLLS = 30;

/** Retries of an empty eth_getLogs response that the block's logsBloom contradicts. */
const EMPTY_LOGS_RETRIES = 3;
/** The same for a filter with most bits set, where false positives are the rule. */
const EMPTY_LOGS_RETRIES_FULL_BLOOM = 1;
const EMPTY_LOGS_RETRY_MS = 250;

/** Indexes one chain until the session ends. After an error that stops it, connects again after a while. */
export async function indexChain(options: IndexChainOptions, session: Session, chain: IndexedChain): Promise<never> {
  const { pollMs } = options.config;
  for (;;) {
    try {
      const connected = await connect(options, session, chain);
      for (;;) {
        const isBehind = await poll(connected);
        await session.sleep(isBehind ? 0 : pollMs);
      }
    } catch (error) {
      if (!isChainError(error)) throw error;
      await chain.stopped(error);
    }
    await session.sleep(pollMs * STOPPED_POLLS);
  }
}

function isChainError(error: unknown): error is ChainError {
  return CHAIN_ERRORS.some((kind) => error instanceof kind);
}

/** A chain and the nodes that it is read from. */
export interface ConnectedChain extends BackfillOptions {
  readonly chain: IndexedChain;
  readonly startBlock: number;
  /** Whether a block with this bloom filter may have logs of the protocol. */
  readonly mayHaveLogs: (bloom: Hex) => boolean;
  /** Reads a part of what is missing of added contracts. False if nothing is, or not yet final. */
  readonly readHistory: (heads: ChainHeads) => Promise<boolean>;
}

/** Claims the chain in the database, and checks that its nodes are of it. */
async function connect(
  options: IndexChainOptions,
  { ending, sleep, counters, write }: Session,
  chain: IndexedChain,
): Promise<ConnectedChain> {
  const { config, monotonic: now, logger } = options;
  const { chainId } = chain;
  const startBlock = startBlockOf(config, chainId);
  const claim = { chainId, deployment: config.deployment, startBlock: ownStartBlockOf(config, chainId) };
  const { added, removed } = await write((tx) => claimChain(tx, claim));
  for (const address of added) logger.info({ chain: chainId, address }, 'a contract was added; its history is read');
  for (const address of removed)
    logger.warn(
      { chain: chainId, address },
      'a contract is no longer in LIST_RECORDS: what was read of it is kept, and not updated',
    );
  const { node, nodeOf, client, mayHaveLogs } = connectChain(chainId, {
    ...options,
    now,
    sleep,
    signal: ending,
    onFault: (host, error) => {
      // Requests that were aborted at shutdown are not faults.
      if (ending.aborted) return;
      counters.add('rpc_faults', `${chainId} ${host} ${error.fault.kind}`);
      const level = error.fault.kind === 'contradicted' ? 'warn' : 'debug';
      logger[level]({ chain: chainId, host, err: error }, 'RPC request failed');
    },
  });
  await client.checkAll();
  const settled = await chain.readRangeSize();
  const size = createRangeSize(settled);
  // With a size of its own, which a node without old logs makes small.
  const readHistory = createHistoryReader({ chain, nodeOf, size: createRangeSize(settled), now, sleep, logger });
  return { chain, node, startBlock, mayHaveLogs, readHistory, size, now, sleep };
}

/**
 * Stores all that the nodes have: final blocks in ranges, the rest block by block, then a part of the history of added
 * contracts. Returns whether there is more of it to read.
 */
async function poll(connected: ConnectedChain): Promise<boolean> {
  const { chain, node } = connected;
  try {
    const heads = await node.fetchHeads();
    if (heads === null || !(await catchUp(connected, heads))) {
      await chain.endBackfill();
      return false;
    }
    await followHead(connected, heads);
    await chain.caughtUp(heads);
    return await connected.readHistory(heads);
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error;
    await chain.unavailable(error);
    return false;
  }
}

/** Stores the final blocks. False if the blocks after them have to wait for the next poll. */
async function catchUp(connected: ConnectedChain, heads: ChainHeads): Promise<boolean> {
  const { chain, node, size, startBlock } = connected;
  const cursor = await chain.readCursor();
  const from = cursor === null ? startBlock : cursor.number + 1;
  const to = heads.finalized;
  // Without a cursor, no block from the start block on is final yet.
  if (from > to) return cursor !== null;
  if (cursor !== null) {
    // Logs do not contain the parent hash of their block, so the first block of the range is fetched.
    const block = await node.fetchBlock(from);
    if (block?.parentHash !== cursor.hash) {
      if (block !== null) await rewindToFork(connected, block);
      return false;
    }
  }
  chain.startBackfill(from, to);
  for await (const blocks of backfill(connected, { from, to, after: cursor }))
    await chain.storeRange({ ...blocks, heads, rangeSize: size.current() });
  await chain.endBackfill();
  return true;
}

/** Blocks of one transaction when the indexer is behind. A failed request loses those that were not stored. */
const JOINED_BLOCKS = 8;

/**
 * Stores block after block until the node has no more, several at once if they were waiting: then what one of them changes
 * and another one changes back is not written. The cursor must be at the last final block or above.
 */
export async function followHead(connected: ConnectedChain, heads: ChainHeads): Promise<void> {
  const { chain, node } = connected;
  let stored = false;
  /** Fetched and not stored yet. */
  let waiting: NewBlock[] = [];
  for (;;) {
    const last = waiting.at(-1)?.block ?? (await chain.readCursor());
    if (last === null) throw new Error('followHead needs a cursor');
    const isAhead = heads.head.number > last.number;
    const next = isAhead && waiting.length < JOINED_BLOCKS ? await node.fetchBlock(last.number + 1) : null;
    if (next !== null && next.parentHash === last.hash) {
      waiting.push({ logs: await fetchTrustedLogs(connected, next), block: next, heads });
      continue;
    }
    if (waiting.length > 0) {
      await chain.storeBlocks(waiting);
      waiting = [];
      stored = true;
      continue;
    }
    // The head may have been orphaned since it was read: the next poll compares with a new one.
    if (!isAhead && stored) return;
    const block = isAhead ? next : heads.head;
    // This node lags behind the one that reported the head: wait for the next poll.
    if (block === null || !(await rewindToFork(connected, block))) return;
  }
}

/** Removes the blocks that the branch of `block` has orphaned. False if there are none, or if that is not known. */
async function rewindToFork(connected: ConnectedChain, block: BlockHeader): Promise<boolean> {
  const { chain } = connected;
  const reorg = await findReorg(connected, await chain.readRecent(), block);
  if (reorg !== null) await chain.rewind(reorg);
  return reorg !== null;
}

/** Retries an empty response that the block's bloom filter contradicts. */
async function fetchTrustedLogs({ node, mayHaveLogs, sleep }: ConnectedChain, block: BlockHeader): Promise<ChainLog[]> {
  let logs = await node.fetchLogs(block);
  const retries = isFull(block.logsBloom) ? EMPTY_LOGS_RETRIES_FULL_BLOOM : EMPTY_LOGS_RETRIES;
  for (let retry = 0; retry < retries && logs.length === 0 && mayHaveLogs(block.logsBloom); retry++) {
    await sleep(EMPTY_LOGS_RETRY_MS * 2 ** retry);
    logs = await node.fetchLogs(block);
  }
  return logs;
}

export interface IndexerConfig {
  readonly deployment: Deployment;
  /** RPC URLs by chain, in order of preference. A chain without any is not indexed. */
  readonly rpcUrls: ReadonlyMap<number, readonly string[]>;
  readonly startBlocks: ReadonlyMap<number, number>;
  readonly pollMs: number;
  readonly ranksMs: number;
  readonly rpcTimeoutMs: number;
  /** By chain, where it is not the default. */
  readonly finalityDepths: ReadonlyMap<number, number>;
  /** By chain, where it is not the default. */
  readonly bloomChecks: ReadonlyMap<number, 'on' | 'off'>;
  /** For chains with several nodes. */
  readonly comparesNodes: boolean;
}

export type TrustConfig = Pick<IndexerConfig, 'rpcUrls' | 'finalityDepths' | 'bloomChecks' | 'comparesNodes'>;

/** How far the nodes of a chain are believed. */
export function trustOf(config: TrustConfig, chainId: number): ChainTrust {
  const standard = defaultTrust(chainId);
  const bloomCheck = config.bloomChecks.get(chainId);
  return {
    finalityDepth: config.finalityDepths.get(chainId) ?? standard.finalityDepth,
    checksBlooms: bloomCheck === undefined ? standard.checksBlooms : bloomCheck === 'on',
    comparesNodes: config.comparesNodes && (config.rpcUrls.get(chainId) ?? []).length > 1,
  };
}

/** The first block to index of a chain. */
export function startBlockOf(config: Pick<IndexerConfig, 'startBlocks' | 'deployment'>, chainId: number): number {
  return firstBlockOf(contractsOn(config.deployment, chainId), ownStartBlockOf(config, chainId));
}

/** The same without the contracts that were added to the deployment. */
function ownStartBlockOf(
  { startBlocks, deployment }: Pick<IndexerConfig, 'startBlocks' | 'deployment'>,
  chainId: number,
) {
  return startBlocks.get(chainId) ?? deployment.startBlocks[chainId] ?? 0;
}

export interface ConnectOptions extends Pick<RpcClientOptions, 'sleep' | 'now' | 'random' | 'onFault'> {
  readonly config: Pick<IndexerConfig, 'deployment' | 'rpcTimeoutMs'> & TrustConfig;
  readonly fetch: typeof globalThis.fetch;
  readonly limitOf: LimitOf;
  /** Aborts pending requests. */
  readonly signal: AbortSignal;
}

/** The configured nodes of a chain, and a test of blocks for logs of its contracts. Sends nothing yet. */
export function connectChain(chainId: number, options: ConnectOptions) {
  const { config, fetch, limitOf, random, signal } = options;
  const timeoutMs = config.rpcTimeoutMs;
  const contracts = contractsOn(config.deployment, chainId).map(({ address }) => address);
  const topics = Object.values(EVENT_TOPICS);
  const urls = config.rpcUrls.get(chainId) ?? [];
  const client = createRpcClient({
    ...options,
    chainId,
    endpoints: urls.map((url) => createEndpoint({ url, fetch, timeoutMs, limit: limitOf(url), signal })),
  });
  const trust = trustOf(config, chainId);
  /** Reads the logs of some of the contracts. */
  const nodeOf = (contracts: readonly Address[]) =>
    createChainNode({ chainId, contracts, topics, client, trust, random });
  return { node: nodeOf(contracts), nodeOf, client, mayHaveLogs: createBloomTest(contracts, topics) };
}
