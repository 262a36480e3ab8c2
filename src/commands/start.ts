import { isoFromSeconds } from '../contract/iso-time.ts';
import type { Status } from '../contract/status-schema.ts';
import { createStatusLookup } from '../lookup/status.ts';
import { updateStaleRanks } from '../ranks/stale-ranks.ts';
import { holdsDemo } from '../store/marks.ts';
import type { Command, Context } from './command.ts';
import { sourceKindsOf } from './create-sources.ts';
import { DEFAULT_ACCOUNTS, DEFAULT_SEED, makeDemo } from './demo.ts';
import { hasWork } from './has-work.ts';
import { isEmpty } from './is-empty.ts';
import { loadSnapshot } from './load-snapshot.ts';
import { rebuildStore } from './rebuild.ts';
import { readSample, type Sample } from './sample.ts';
import { serveStore } from './serve.ts';
import { serveInWorkers } from './serve-workers.ts';
import { startIndexer } from './start-indexer.ts';
import { withStore } from './with-store.ts';

export const start: Command = {
  usage: '',
  isLongRunning: true,
  help: `Serves HTTP requests like serve. If RPC_URL_<chainId> is set, also runs index in a child process. If the database is empty, loads SNAPSHOT_URL first or, if neither nodes nor sources are configured, a demo graph.`,
  async run(context) {
    const { stdout } = context;
    await withStore(context, async (store) => {
      const readStatus = createStatusLookup(store, sourceKindsOf(context.config.sources));
      const { counts, isDemo, chains } = await readStatus(context.now());
      const { snapshotUrl } = context.config;
      if (isDemo && (hasWork(context.config) || snapshotUrl !== null)) throw holdsDemo();
      if (snapshotUrl !== null) {
        try {
          if (counts.logs === 0 && chains.length === 0) await loadSnapshot(context, store, snapshotUrl);
        } catch (error) {
          if (context.signal.aborted) return;
          throw error;
        }
      }
      if (!isLive(context.config) && (await isEmpty(store.reader))) {
        stdout.write('The database is empty: loading a demo graph of generated data.\n');
        await makeDemo(context, store, { accounts: DEFAULT_ACCOUNTS, seed: DEFAULT_SEED });
      }
      // With JSON-RPC endpoints, the indexer does this.
      if (context.config.rpcUrls.size === 0 && counts.unfoldedLogs > 0) {
        stdout.write('A bulk load was interrupted: rebuilding the graph from the stored logs.\n');
        await rebuildStore(context, store);
      }
      // An import that was killed before its ranking leaves the ranks of an older graph.
      if (!hasWork(context.config)) await updateStaleRanks(store, context.now());
      const sample = await readSample(store.reader);
      const { isLoading, chains: served } = await readStatus(context.now());
      if (snapshotUrl !== null) logAges(context, served);
      const printSamples = async (url: string) => {
        stdout.write(
          `\nKith listens on ${url}. ${sample === null ? noSamples(url, isLoading) : sampleUrls(url, sample)}`,
        );
        stdout.write(`Explorer: ${url}/\nDocumentation: ${url}/docs\n\n`);
      };
      await withIndexer(context, (serving) =>
        serving.config.workers > 1 ? serveInWorkers(serving, printSamples) : serveStore(serving, store, printSamples),
      );
    });
  },
};

/** Runs the indexer beside `serve`, and ends both if it cannot index at all. */
async function withIndexer(context: Context, serve: (context: Context) => Promise<void>): Promise<void> {
  if (!hasWork(context.config)) return serve(context);
  const failed = new AbortController();
  const indexer = startIndexer(context, (error) => failed.abort(error));
  const signal = AbortSignal.any([context.signal, failed.signal]);
  // At once, not after the requests in progress: the time to shut down is limited.
  signal.addEventListener('abort', () => void indexer.stop(), { once: true });
  try {
    await serve({ ...context, signal });
  } finally {
    await indexer.stop();
  }
  if (failed.signal.aborted && !context.signal.aborted) throw failed.signal.reason;
}

/** Says how old the chains are that no node updates. */
function logAges({ config, logger, now }: Context, chains: Status['chains']): void {
  for (const { chainId, indexed } of chains.filter(({ chainId }) => !config.rpcUrls.has(chainId))) {
    const hours = Math.max(0, Math.floor((now() / 1000 - indexed.timestamp) / 3600));
    const block = `block ${indexed.number} of ${isoFromSeconds(indexed.timestamp)}, ${hours} hours ago`;
    logger.warn({ chain: chainId }, `chain ${chainId} is served as of ${block}: set RPC_URL_${chainId} to index it`);
  }
}

/** Whether real data is configured, which must not be mixed with demo data. */
function isLive({ rpcUrls, snapshotUrl, sources: { names, badges } }: Context['config']): boolean {
  return rpcUrls.size > 0 || snapshotUrl !== null || names.kind !== 'none' || badges.kind !== 'none';
}

/** A sample URL for each endpoint, about an account that exists. */
function sampleUrls(url: string, { list, address, name }: Sample): string {
  const paths = [
    `lists/${list}/details`,
    `users/${encodeURIComponent(name)}/badges`,
    `lists/${list}/badges`,
    `leaderboard/search?term=${encodeURIComponent([...name].slice(0, 3).join(''))}`,
    `users/${address}/notifications`,
    `users/${encodeURIComponent(name)}/followers?sort=followers`,
    `lists/${list}/followers?limit=5`,
  ];
  return `Try:\n${paths.map((path) => `  ${url}/api/v1/${path}\n`).join('')}`;
}

/** Without an account that has a name and a list. */
function noSamples(url: string, isLoading: boolean): string {
  return `${isLoading ? 'The graph is not loaded yet.' : 'No account has a name and a list yet.'}\nStatus: ${url}/status\n`;
}
