import { BadInputError } from '../errors/bad-input.ts';
import { CommandError } from '../errors/operator-error.ts';
import { type ImportOptions, type Input, importLogs, openLogs, scanLogs } from '../import/import-file.ts';
import type { SnapshotHeader } from '../import/snapshot-header.ts';
import { type Continuation, continueFrom } from '../indexer/cursor.ts';
import type { BlockRef } from '../indexer/reorg.ts';
import { contentsOf, describeDifference, type VerifyOptions, verifyRange } from '../indexer/verify-chain.ts';
import type { ChainLog } from '../protocol/decode-log.ts';
import { createRoleOf } from '../protocol/deployments.ts';
import type { ChainNode } from '../rpc/chain-node.ts';
import { hasRows } from '../store/state.ts';
import type { Reader, Store, Transaction } from '../store/store.ts';
import { type Command, type Context, UsageError } from './command.ts';
import { createProgress } from './progress.ts';
import { SAMPLE_BLOCKS, withNode } from './verify.ts';
import { withDownload } from './with-download.ts';
import { withIndexerLock } from './with-indexer-lock.ts';
import { withStore } from './with-store.ts';

/** Ranges of blocks of each chain that are compared with the node. */
const SAMPLE = 5;

export const bootstrap: Command = {
  usage: 'FILE|URL',
  maxPositionals: 1,
  help: `Loads a snapshot of kith export logs into an empty database, so that the indexer continues after its last blocks.
The file is read from a path or an https URL, and its contracts, the number of logs and their SHA-256 are checked. If
RPC_URL_<chainId> is set, the last final block and some random ranges of the chain are compared with the node; if they
differ, nothing is kept. kith start does the same with SNAPSHOT_URL.`,
  async run(context, { positionals: [source] }) {
    if (source === undefined) throw new UsageError('FILE: expected a file or an https URL');
    await withStore(context, (store) => loadSnapshot(context, store, source));
  },
};

/**
 * Loads a snapshot from a file or a URL into a database without logs, in one transaction, so that the indexer goes on
 * after its last blocks. Checks a sample of it against the configured nodes.
 */
async function loadSnapshot(context: Context, store: Store, source: string): Promise<void> {
  if (source === '-') throw new UsageError('FILE: a snapshot is read more than once, so it cannot be standard input');
  const isLoaded = await withIndexerLock(context, store, (write) => loadWhileHeld(context, store, source, write));
  if (!isLoaded) throw new UsageError('the database is not empty: a snapshot is loaded into an empty one only');
}

/** The same for the start of a service: waits for another one that does it, and leaves a database with data as it is. */
export async function loadFirstSnapshot(context: Context, store: Store, source: string): Promise<void> {
  const waitWhile = async () => !(await hasLogs(store.reader));
  if (!(await waitWhile())) return;
  await withIndexerLock(context, store, (write) => loadWhileHeld(context, store, source, write), waitWhile);
}

/** False if the database has logs, or has got some while the snapshot was downloaded and checked. */
async function loadWhileHeld(
  context: Context,
  store: Store,
  source: string,
  write: Store['transaction'],
): Promise<boolean> {
  const { config, stdin, stdout, now, signal } = context;
  const { deployment } = config;
  if (await hasLogs(store.reader)) return false;
  return withDownload(context, source, async (path, name = path) => {
    const progress = createProgress(name, 'logs', context);
    const open = (onProgress: ImportOptions['onProgress']) =>
      openLogs(path, {
        ...{ deployment, stdin, now, name },
        onProgress(lines, fraction) {
          signal.throwIfAborted();
          onProgress(lines, fraction);
        },
      });
    const scanned = await open(() => undefined);
    const header = requireHeader(scanned);
    const chains = continuationsOf(scanned.name, header);
    /** What the snapshot has no logs of is not compared. */
    const compared = { ...deployment, contracts: header.deployment.contracts };
    const checked = chains.filter(({ chainId }) => config.rpcUrls.has(chainId));
    await checkEnds(context, checked);
    await checkSample({ ...context, config: { ...config, deployment: compared } }, checked, (onLogs) =>
      scanLogs(scanned, onLogs),
    );
    await scanned.close();
    const input = await open(progress.update);
    // The logs of the file are compared with the header in the transaction.
    if (JSON.stringify(input.header) !== JSON.stringify(scanned.header))
      throw new BadInputError(`${name}: the file was changed while it was read`);
    const load = async (tx: Transaction) => {
      if (await hasLogs(tx)) return null;
      const imported = await importLogs(tx, input, { deployment, now });
      await requireNoneAbove(tx, input.name, chains);
      for (const chain of chains) {
        const confirmed = checked.includes(chain) ? chain : await upToLastLog(tx, chain);
        if (confirmed !== null) await continueFrom(tx, { ...deployment, ...header.deployment }, confirmed);
      }
      return imported;
    };
    const imported = await write(load, { once: true });
    await input.close();
    if (imported === null) return false;
    progress.end();
    stdout.write(`${name}: ${imported.lines} logs loaded\n`);
    return true;
  });
}

function requireHeader({ name, header }: Input): SnapshotHeader {
  if (header !== null) return header;
  throw new BadInputError(`${name}: no header of kith export logs, so its last blocks are unknown`);
}

function continuationsOf(name: string, header: SnapshotHeader): Continuation[] {
  return header.chains.map(({ chainId, cursor }) => {
    if (cursor !== null) return { chainId, ...cursor };
    const reason = `the logs of chain ${chainId} were imported, so its last block is unknown`;
    throw new BadInputError(`${name}: ${reason}; kith import logs reads the file`);
  });
}

/** Whether logs were imported or a chain is indexed. */
async function hasLogs(reader: Reader): Promise<boolean> {
  return (await hasRows(reader, 'logs')) || (await hasRows(reader, 'cursors'));
}

/**
 * Where a chain is continued whose cursor no node has confirmed: at its last log, because the blocks after it would never
 * be read if they do not exist as the snapshot says. Null without a log: then it is read from its start block.
 */
async function upToLastLog(tx: Transaction, chain: Continuation): Promise<Continuation | null> {
  const [last] = await tx.readBy('chains', 'chain_id', [chain.chainId]);
  if (last === undefined) return null;
  const block = { number: last.block_number, hash: last.block_hash };
  return { ...chain, ...block, time: last.block_time, final: chain.final.number < block.number ? chain.final : block };
}

/** Logs above the last block may be incomplete. */
async function requireNoneAbove(tx: Transaction, name: string, chains: readonly Continuation[]): Promise<void> {
  for (const { chain_id, block_number } of await tx.query((db) => db.selectFrom('chains').selectAll())) {
    const last = chains.find(({ chainId }) => chainId === chain_id)?.number ?? 'none';
    if (last === 'none' || block_number > last)
      throw new BadInputError(
        `${name}: a log of block ${block_number} of chain ${chain_id}, whose last block is ${last}`,
      );
  }
}

/**
 * Throws unless the nodes have the last final block of each chain, and some block with the number of the last one, which a
 * reorg may have replaced since.
 */
async function checkEnds(context: Context, chains: readonly Continuation[]): Promise<void> {
  for (const chain of chains) {
    const { chainId, final } = chain;
    await withNode(context, chainId, async ({ node }) => {
      const hash = await hashAt(node, final);
      if (hash !== final.hash) {
        const message = `the snapshot has block ${final.number} with hash ${final.hash}, the node has ${hash}`;
        throw new CommandError('E_DIFFERENT_LOGS', `chain ${chainId}: ${message}; nothing was loaded`);
      }
      await hashAt(node, chain);
    });
  }
}

/**
 * Throws unless the nodes have the logs of the snapshot in some random ranges of blocks. `scan` reads all of its logs.
 * This is done before the load, whose transaction keeps all other writers waiting.
 */
async function checkSample(
  context: Context,
  chains: readonly Continuation[],
  scan: (onLogs: (logs: readonly ChainLog[]) => void) => Promise<void>,
): Promise<void> {
  const samples = chains.map((chain) => ({ chain, ranges: sampleRanges(chain) }));
  if (samples.length === 0) return;
  await scan((logs) => {
    for (const log of logs)
      for (const { chain, ranges } of samples)
        if (chain.chainId === log.chainId) for (const range of ranges) range.add(log);
  });
  const roleOf = createRoleOf(context.config.deployment);
  for (const { chain, ranges } of samples) {
    await withNode(context, chain.chainId, async (options) => {
      const heads = await options.node.fetchHeads();
      if (heads === null) return;
      // A reorg may have removed the last block since: the indexer then goes back to the final one.
      const isCurrent = chain.number <= heads.finalized && (await hashAt(options.node, chain)) === chain.hash;
      const end = Math.min(isCurrent ? chain.number : chain.final.number, heads.finalized);
      for (const { first, last, logs } of ranges.map((range) => range.end())) {
        if (first > end) continue;
        const readStored: VerifyOptions['readStored'] = async ({ from, to }) =>
          contentsOf(
            roleOf,
            logs.filter(({ blockNumber }) => blockNumber >= from && blockNumber <= to),
          );
        const verified = verifyRange({ ...options, readStored, roleOf }, first, Math.min(last, end));
        for await (const { differences } of verified) {
          const [difference] = differences;
          if (difference === undefined) continue;
          throw new CommandError(
            'E_DIFFERENT_LOGS',
            `chain ${chain.chainId}: ${describeDifference(difference)} in the snapshot; nothing was loaded`,
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

/** Ranges of a chain that collect their logs: all blocks of a short chain, else some that begin with a random log. */
function sampleRanges({ startBlock, number }: Continuation) {
  const blocks = number - startBlock + 1;
  if (blocks <= SAMPLE * SAMPLE_BLOCKS) return [collectRange(startBlock, blocks, startBlock)];
  return Array.from({ length: SAMPLE }, () =>
    collectRange(startBlock + Math.floor(Math.random() * blocks), SAMPLE_BLOCKS),
  );
}

/** Collects logs, in any order, from the first block with one that is not below `lowest`, unless `first` is given. */
function collectRange(lowest: number, blocks: number, first = Number.POSITIVE_INFINITY) {
  let from = first;
  let logs: ChainLog[] = [];
  return {
    add(log: ChainLog): void {
      const { blockNumber } = log;
      if (blockNumber < lowest || blockNumber >= from + blocks) return;
      logs.push(log);
      if (blockNumber >= from) return;
      from = blockNumber;
      logs = logs.filter((known) => known.blockNumber < from + blocks);
    },
    end() {
      const first = Number.isFinite(from) ? from : lowest;
      return { first, last: first + blocks - 1, logs };
    },
  };
}
