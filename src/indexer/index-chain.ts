import type { Logger } from 'pino';
import type { UnixMs } from '../async/unix-time.ts';
import { BadInputError } from '../errors/bad-input.ts';
import { OtherDeploymentError } from '../errors/operator-error.ts';
import type { LimitOf } from '../rpc/node-limit.ts';
import { WrongChainError } from '../rpc/rpc-client.ts';
import type { Store } from '../store/store.ts';
import { createBloomTest } from './bloom.ts';
import type { ChainCursor } from './chain-cursor.ts';
import type { ChainEvent } from './chain-event.ts';
import type { ChainWriter } from './chain-writer.ts';
import { claimChain, EarlierStartBlockError } from './claim-chain.ts';
import { connectChain } from './connect-chain.ts';
import type { Counters } from './counters.ts';
import { followChain } from './follow-chain.ts';
import { DeepReorgError } from './follow-head.ts';
import { type IndexerConfig, startBlockOf } from './indexer-config.ts';

export interface IndexChainOptions {
  readonly config: IndexerConfig;
  readonly logger: Logger;
  readonly now: () => UnixMs;
  readonly random: () => number;
  readonly fetch: typeof globalThis.fetch;
  readonly limitOf: LimitOf;
}

/** The time in which this process holds the indexer lock. */
export interface Session {
  /** Aborts when the lock is lost or at shutdown. */
  readonly ending: AbortSignal;
  /** A transaction that fails after the end of the session, or if another process holds the lock. */
  readonly write: Store['transaction'];
  /** Rejects when the session ends. */
  readonly sleep: (ms: number) => Promise<void>;
  readonly counters: Counters;
}

export interface ChainStep {
  readonly kind: 'chain';
  readonly chain: ChainWriter;
  readonly event: ChainEvent;
  /** Set by the consumer if the event could not be written, which stops the chain. */
  failure?: ChainError;
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

export function isChainError(error: unknown): error is ChainError {
  return CHAIN_ERRORS.some((kind) => error instanceof kind);
}

/** Follows a chain. When an error stops it, tries again after a while. */
export async function* indexChain(
  options: IndexChainOptions,
  session: Session,
  chain: ChainWriter,
  cursor: ChainCursor,
): AsyncGenerator<ChainStep> {
  for (;;) {
    try {
      for await (const event of openChain(options, session, chain, cursor)) {
        const step: ChainStep = { kind: 'chain', chain, event };
        yield step;
        if (step.failure !== undefined) throw step.failure;
      }
    } catch (error) {
      if (!isChainError(error)) throw error;
      yield { kind: 'chain', chain, event: { kind: 'stopped', error } };
    }
    await session.sleep(options.config.pollMs * STOPPED_POLLS);
  }
}

async function* openChain(
  options: IndexChainOptions,
  { ending, sleep, counters, write }: Session,
  { chainId }: ChainWriter,
  cursor: ChainCursor,
): AsyncGenerator<ChainEvent> {
  const { config, now, logger } = options;
  const { deployment, pollMs } = config;
  const startBlock = startBlockOf(config, chainId);
  await write((tx) => claimChain(tx, { chainId, deployment, startBlock }));
  const { node, client, contracts, topics } = connectChain(chainId, {
    ...options,
    sleep,
    signal: ending,
    onFault: (host, error) => {
      // Requests that were aborted at shutdown are not faults.
      if (ending.aborted) return;
      counters.add('rpc_faults', `${chainId} ${host} ${error.fault.kind}`);
      logger.debug({ chain: chainId, host, err: error }, 'RPC request failed');
    },
  });
  await client.checkAll();
  const mayHaveLogs = createBloomTest(contracts, topics);
  yield* followChain({ node, cursor, startBlock, pollMs, mayHaveLogs, now, sleep });
}
