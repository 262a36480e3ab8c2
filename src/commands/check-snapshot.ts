import { CommandError } from '../errors/operator-error.ts';
import type { Continuation } from '../indexer/continue-from.ts';
import type { BlockRef } from '../indexer/find-fork.ts';
import { createVerifyRange, describeDifference } from '../indexer/verify-chain.ts';
import { createRoleOf } from '../protocol/deployments.ts';
import type { ChainNode } from '../rpc/chain-node.ts';
import { param } from '../store/params.ts';
import { statement } from '../store/statement.ts';
import type { Reader } from '../store/store.ts';
import type { Context } from './command.ts';
import { withNode } from './connect-node.ts';
import { SAMPLE_BLOCKS } from './verify.ts';

const SAMPLE = 5;

/** The first block from a given one on that has a stored log. */
const NEXT = statement<{ chainId: number; block: number }, { block_number: number }>((db) =>
  db
    .selectFrom('logs')
    .select('block_number')
    .where('chain_id', '=', param<number>('chainId'))
    .where('block_number', '>=', param<number>('block'))
    .orderBy('block_number')
    .limit(1),
);

/** Throws unless the nodes have the last final block of each chain. Chains without nodes are not checked. */
export async function checkEnds(context: Context, chains: readonly Continuation[]): Promise<void> {
  for (const { chainId, final } of chains.filter(({ chainId }) => context.config.rpcUrls.has(chainId))) {
    await withNode(context, chainId, async ({ node }) => {
      const hash = await hashAt(node, final);
      if (hash === final.hash) return;
      const message = `the snapshot has block ${final.number} with hash ${final.hash}, the node has ${hash}`;
      throw new CommandError('E_DIFFERENT_LOGS', `chain ${chainId}: ${message}; nothing was loaded`);
    });
  }
}

/** Throws unless the nodes have the logs that are stored in some random ranges of blocks with logs. */
export async function checkSample(context: Context, reader: Reader, chains: readonly Continuation[]): Promise<void> {
  for (const chain of chains.filter(({ chainId }) => context.config.rpcUrls.has(chainId))) {
    await withNode(context, chain.chainId, async (options) => {
      const finalized = await options.node.fetchBlock('finalized');
      if (finalized === null) return;
      const heads = { head: finalized, finalized: finalized.number };
      const roleOf = createRoleOf(context.config.deployment);
      const verifyRange = createVerifyRange({ ...options, heads, reader, roleOf });
      // A reorg may have removed the last block since: the indexer then goes back to the final one.
      const isCurrent = chain.number <= finalized.number && (await hashAt(options.node, chain)) === chain.hash;
      const end = Math.min(isCurrent ? chain.number : chain.final.number, finalized.number);
      for await (const [from, to] of sampleRanges(reader, chain, end)) {
        for await (const { differences } of verifyRange(from, to)) {
          const [first] = differences;
          if (first === undefined) continue;
          throw new CommandError(
            'E_DIFFERENT_LOGS',
            `chain ${chain.chainId}: ${describeDifference(first)} in the snapshot; nothing was loaded`,
          );
        }
      }
    });
  }
}

async function hashAt({ chainId, fetchBlock }: ChainNode, { number }: BlockRef): Promise<string> {
  const block = await fetchBlock(number);
  if (block !== null) return block.hash;
  throw new CommandError(
    'E_NODE_UNAVAILABLE',
    `RPC_URL_${chainId}: the node has no block ${number}, which the snapshot has`,
  );
}

async function* sampleRanges(
  reader: Reader,
  { chainId, startBlock }: Continuation,
  end: number,
): AsyncGenerator<readonly [from: number, to: number]> {
  const blocks = end - startBlock + 1;
  if (blocks <= SAMPLE * SAMPLE_BLOCKS) return yield [startBlock, end];
  for (let i = 0; i < SAMPLE; i++) {
    const block = startBlock + Math.floor(Math.random() * blocks);
    const from = (await reader.all(NEXT, { chainId, block }))[0]?.block_number ?? block;
    if (from <= end) yield [from, Math.min(from + SAMPLE_BLOCKS - 1, end)];
  }
}
