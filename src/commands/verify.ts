import { setTimeout } from 'node:timers/promises';
import type { Config } from '../config/config.ts';
import { CommandError } from '../errors/operator-error.ts';
import type { BackfillOptions } from '../indexer/backfill.ts';
import { requireStored } from '../indexer/cursor.ts';
import { connectChain, startBlockOf } from '../indexer/index-chain.ts';
import { createRangeSize } from '../indexer/range-size.ts';
import { createReadStored, describeDifference, verifyRange } from '../indexer/verify-chain.ts';
import { replaceLogs } from '../ingest/rewind.ts';
import { contractsOn, createRoleOf } from '../protocol/deployments.ts';
import { RemoteError } from '../remote/remote-error.ts';
import { readIncomplete } from '../store/incomplete-contracts.ts';
import type { Store } from '../store/store.ts';
import { type Arguments, type Command, type Context, integerOption, UsageError } from './command.ts';
import { nodeLimitsOf } from './create-sources.ts';
import { rebuildStore } from './rebuild.ts';
import { withStore } from './with-store.ts';

const DEFAULT_SAMPLE = 20;
/** Blocks of one sampled range: a size that every known provider accepts in at most a few requests. */
export const SAMPLE_BLOCKS = 2_000;
/** Differences that are printed per chain. */
const MAX_SHOWN = 20;

export const verify: Command = {
  usage: '[--sample N | --all] [--chain ID] [--from BLOCK] [--to BLOCK] [--repair]',
  help: `Reads logs of final blocks from a node again and compares them with the stored ones. Prints logs that are missing,
wrong or extra, and exits with 1 if there are any. The second node of RPC_URL_<chainId> is asked, if there is one.

  --sample N    check N random ranges of ${SAMPLE_BLOCKS} blocks per chain (${DEFAULT_SAMPLE})
  --all         check all blocks
  --chain ID    check this chain only
  --from BLOCK  first block
  --to BLOCK    last block
  --repair      replace the logs of blocks with differences by those of the node, and rebuild the graph from all logs`,
  options: {
    sample: { type: 'string' },
    all: { type: 'boolean' },
    chain: { type: 'string' },
    from: { type: 'string' },
    to: { type: 'string' },
    repair: { type: 'boolean' },
  },
  async run(context, args) {
    const chains = chainsToVerify(context.config, args);
    const different = await withStore(context, async (store) => {
      let count = 0;
      for (const chainId of chains) count += await verifyChain(context, store, chainId, args);
      // Even without a difference: logs that were corrected before can be missing from the graph.
      if (args.options.repair) await rebuildStore(context, store);
      return count;
    });
    if (different === 0 || args.options.repair) return;
    throw new CommandError(
      'E_DIFFERENT_LOGS',
      'the stored logs differ from those of the node; kith verify --repair replaces them',
    );
  },
};

function chainsToVerify({ rpcUrls }: Config, args: Arguments): number[] {
  const known = [...rpcUrls.keys()];
  if (known.length === 0) throw new UsageError('no chain to verify: set RPC_URL_<chainId>');
  if (args.options.chain === undefined) return known;
  const chainId = integerOption(args, 'chain', 1, 0);
  if (!rpcUrls.has(chainId)) throw new UsageError(`--chain: expected one of ${known.join(', ')}, got ${chainId}`);
  return [chainId];
}

/** Returns the number of differences. */
async function verifyChain(context: Context, store: Store, chainId: number, args: Arguments): Promise<number> {
  const { config, stdout } = context;
  const print = (text: string) => void stdout.write(`chain ${chainId}: ${text}\n`);
  const incomplete = await readIncomplete(store.reader, chainId);
  for (const { address } of incomplete) print(`${address} is not compared, because its logs are still being read`);
  if (incomplete.length > 0 && args.options.repair)
    throw new CommandError('E_USAGE', `--repair: wait until the logs of ${incomplete[0]?.address} have been read`);
  if (args.options.repair) await requireAllContracts(store, config, chainId);
  const contracts = config.deployment.contracts.filter(
    (contract) => contract.chainId !== chainId || !incomplete.some(({ address }) => address === contract.address),
  );
  const deployment = { ...config.deployment, contracts };
  return withNode({ ...context, config: { ...config, deployment } }, chainId, async (options) => {
    const heads = await options.node.fetchHeads();
    const bounds = await readBounds(store, config, chainId, heads?.finalized ?? -1, args);
    if (heads === null || bounds === null) {
      print('nothing to verify: no final block is indexed');
      return 0;
    }
    const roleOf = createRoleOf(deployment);
    const verified = { ...options, readStored: createReadStored(store.reader, chainId, roleOf), roleOf };
    const counts = { blocks: 0, logs: 0, missing: 0, wrong: 0, extra: 0 };
    let different = 0;
    for (const range of rangesOf(bounds, args)) {
      for await (const found of verifyRange(verified, range.from, range.to)) {
        counts.blocks += found.to - found.from + 1;
        counts.logs += found.logs;
        for (const difference of found.differences) {
          counts[difference.kind] += 1;
          different += 1;
          if (different <= MAX_SHOWN) print(describeDifference(difference));
        }
        const blocks = [...new Set(found.differences.map(({ block }) => block))];
        if (blocks.length === 0 || !args.options.repair) continue;
        await store.transaction(async (tx) => {
          await requireStored(tx, chainId, found.to);
          await replaceLogs(tx, chainId, blocks, found.replacement);
        });
        print(`replaced the logs of ${blocks.length} blocks`);
      }
    }
    const { blocks, logs, missing, wrong, extra } = counts;
    print(`${blocks} blocks with ${logs} logs checked: ${missing} missing, ${wrong} wrong, ${extra} extra`);
    return different;
  });
}

/** A repair replaces all logs of a block, also those of contracts that were added and are not configured any more. */
async function requireAllContracts(store: Store, { deployment }: Config, chainId: number): Promise<void> {
  const added = await store.transaction((tx) => tx.readBy('added_contracts', 'chain_id', [chainId]));
  const known = contractsOn(deployment, chainId);
  const left = added.find((row) => !known.some(({ address }) => address === row.address));
  if (left === undefined) return;
  const message = `--repair: LIST_RECORDS_${chainId} lacks ${left.address}, whose stored logs would be lost`;
  throw new CommandError('E_USAGE', message);
}

/** The indexed final blocks, within `--from` and `--to`. Null if there are none. */
async function readBounds(store: Store, config: Config, chainId: number, finalized: number, args: Arguments) {
  const [cursors, indexed] = await store.transaction(async (tx) => [
    await tx.readBy('cursors', 'chain_id', [chainId]),
    await tx.readBy('indexed_contracts', 'chain_id', [chainId]),
  ]);
  const first = indexed[0]?.start_block ?? startBlockOf(config, chainId);
  const last = Math.min(cursors[0]?.number ?? -1, finalized);
  const from = Math.max(first, integerOption(args, 'from', 0, first));
  const to = Math.min(last, integerOption(args, 'to', 0, Math.max(last, 0)));
  return from > to ? null : { from, to };
}

function rangesOf({ from, to }: { from: number; to: number }, args: Arguments) {
  const sample = integerOption(args, 'sample', 1, DEFAULT_SAMPLE);
  const blocks = to - from + 1;
  if (args.options.all || blocks <= sample * SAMPLE_BLOCKS) return [{ from, to }];
  const starts = Array.from({ length: sample }, () => from + Math.floor(Math.random() * (blocks - SAMPLE_BLOCKS + 1)));
  return starts.sort((a, b) => a - b).map((start) => ({ from: start, to: start + SAMPLE_BLOCKS - 1 }));
}

/** Connects to the nodes of a chain and runs `work`, which may read ranges of blocks. */
export async function withNode<T>(
  { config, logger, monotonic: now, signal }: Context,
  chainId: number,
  work: (options: BackfillOptions) => Promise<T>,
): Promise<T> {
  const sleep = (ms: number) => setTimeout(ms, undefined, { signal });
  const { node, client } = connectChain(chainId, {
    config: { ...config, rpcUrls: rotate(config.rpcUrls), comparesNodes: false },
    fetch: globalThis.fetch,
    limitOf: nodeLimitsOf(config, 'verify'),
    signal,
    sleep,
    now,
    random: Math.random,
    onFault: (host, error) => logger.debug({ chain: chainId, host, err: error }, 'RPC request failed'),
  });
  try {
    await client.checkAll();
    return await work({ node, now, sleep, size: createRangeSize() });
  } catch (error) {
    if (error instanceof RemoteError)
      throw new CommandError('E_NODE_UNAVAILABLE', `RPC_URL_${chainId}: ${error.message}`);
    throw error;
  }
}

/** The indexer reads from the first node: another one is asked where there is one. */
function rotate(rpcUrls: Config['rpcUrls']): Config['rpcUrls'] {
  return new Map([...rpcUrls].map(([chainId, [first, ...others]]) => [chainId, [...others, first ?? '']]));
}
