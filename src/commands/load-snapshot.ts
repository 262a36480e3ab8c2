import { BadInputError } from '../errors/bad-input.ts';
import { type Input, importLogs, openLogs } from '../import/import-file.ts';
import { type Continuation, continueFrom } from '../indexer/continue-from.ts';
import type { Store, Transaction } from '../store/store.ts';
import { checkEnds, checkSample } from './check-snapshot.ts';
import { type Context, UsageError } from './command.ts';
import { createProgress } from './progress.ts';
import { withDownload } from './with-download.ts';
import { withIndexerLock } from './with-indexer-lock.ts';

/**
 * Loads a snapshot from a file or a URL into a database without logs, in one transaction, so that the indexer goes on
 * after its last blocks. Checks a sample of it against the configured nodes.
 */
export async function loadSnapshot(context: Context, store: Store, source: string): Promise<void> {
  const { config, stdin, stdout, now, signal } = context;
  const { deployment } = config;
  await withDownload(context, source, async (path, name = path) => {
    const progress = createProgress(name, 'logs', context);
    const onProgress = (lines: number, fraction: number | undefined) => {
      signal.throwIfAborted();
      progress.update(lines, fraction);
    };
    const input = await openLogs(path, { deployment, stdin, now, name, onProgress });
    const chains = continuationsOf(input);
    // Before the load, which takes a while.
    await checkEnds(context, chains);
    const { lines } = await withIndexerLock(store, now, async (tx) => {
      await requireNoLogs(tx);
      const imported = await importLogs(tx, input, { deployment, now });
      await requireNoneAbove(tx, input.name, chains);
      for (const chain of chains) await continueFrom(tx, deployment, chain);
      await checkSample(context, tx, chains);
      return imported;
    });
    progress.end();
    stdout.write(`${name}: ${lines} logs loaded\n`);
  });
}

function continuationsOf({ name, header }: Input): Continuation[] {
  if (header === null)
    throw new BadInputError(`${name}: no header of kith export logs, so its last blocks are unknown`);
  return header.chains.map(({ chainId, cursor }) => {
    if (cursor !== null) return { chainId, ...cursor };
    const reason = `the logs of chain ${chainId} were imported, so its last block is unknown`;
    throw new BadInputError(`${name}: ${reason}; kith import logs reads the file`);
  });
}

async function requireNoLogs(tx: Transaction): Promise<void> {
  for (const table of ['logs', 'cursors'] as const) {
    const found = await tx.query((db) => db.selectFrom(table).select('chain_id').limit(1));
    if (found.length > 0)
      throw new UsageError('the database is not empty: a snapshot is loaded into an empty one only');
  }
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
