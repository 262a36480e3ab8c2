import { fork } from 'node:child_process';
import { sql } from 'kysely';
import { isoFromSeconds } from '../contract/iso-time.ts';
import type { Status } from '../contract/status-schema.ts';
import { CommandError, describeError, type ErrorCode } from '../errors/operator-error.ts';
import { createStatusLookup } from '../lookup/status.ts';
import { updateStaleRanks } from '../ranks/update-ranks.ts';
import { holdsDemo, isFilled } from '../store/state.ts';
import { statement } from '../store/statement.ts';
import type { Store } from '../store/store.ts';
import { loadFirstSnapshot } from './bootstrap.ts';
import type { Command, Context } from './command.ts';
import { hasWork, sourceKindsOf } from './create-sources.ts';
import { makeDemo } from './demo.ts';
import { rebuildStore } from './rebuild.ts';
import { serveStore } from './serve.ts';
import { serveInWorkers } from './serve-workers.ts';
import { MAIN, SUPERVISED, supervise } from './supervise.ts';
import { withPrimary } from './with-store.ts';

export const start: Command = {
  usage: '',
  isLongRunning: true,
  help: `Serves HTTP requests like serve. If RPC_URL_<chainId> is set, also runs index in a child process. If the database is empty, loads SNAPSHOT_URL first or, if neither nodes nor sources are configured, a demo graph.`,
  async run(context) {
    const { stdout } = context;
    await withPrimary(context, async (store) => {
      const readStatus = createStatusLookup(store, sourceKindsOf(context.config.sources));
      const { snapshotUrl } = context.config;
      const readAllowed = async () => {
        const found = await readStatus(context.now());
        if (found.isDemo && (hasWork(context.config) || snapshotUrl !== null)) throw holdsDemo();
        return found;
      };
      const { isDemo } = await readAllowed();
      if (snapshotUrl !== null) {
        try {
          await loadFirstSnapshot(context, store, snapshotUrl);
        } catch (error) {
          if (context.signal.aborted) return;
          throw error;
        }
      }
      if (!isLive(context.config) && !isDemo && !(await isFilled(store.reader))) await makeFirstDemo(context, store);
      // With JSON-RPC endpoints, the indexer does this.
      if (context.config.rpcUrls.size === 0 && (await readAllowed()).counts.unfoldedLogs > 0) {
        stdout.write('A bulk load was interrupted: rebuilding the graph from the stored logs.\n');
        await rebuildStore(context, store);
      }
      // An import that was killed before its ranking leaves the ranks of an older graph.
      if (!hasWork(context.config)) await updateStaleRanks(store, context.now());
      const [sample] = await store.reader.all(SAMPLE, {});
      const { isLoading, chains: served } = await readAllowed();
      if (snapshotUrl !== null) logAges(context, served);
      const printSamples = async (url: string) => {
        stdout.write(
          `\nKith listens on ${url}. ${sample === undefined ? noSamples(url, isLoading) : sampleUrls(url, sample)}`,
        );
        stdout.write(`Explorer: ${url}/\nDocumentation: ${url}/docs\n\n`);
      };
      await withIndexer(context, (serving) =>
        serving.config.workers > 1 ? serveInWorkers(serving, printSamples) : serveStore(serving, store, printSamples),
      );
    });
  },
};

/** Another command may have filled the database since it was found empty: then its data are served. */
async function makeFirstDemo(context: Context, store: Store): Promise<void> {
  context.stdout.write('The database is empty: loading a demo graph of generated data.\n');
  try {
    await makeDemo(context, store);
  } catch (error) {
    if (describeError(error).code !== 'E_DEMO_DATABASE') throw error;
    context.stdout.write('Another command has filled the database: no demo graph was loaded.\n');
  }
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

/** An account that can be requested by address, name and list. */
interface Sample {
  readonly address: string;
  readonly name: string;
  readonly list: string;
}

/** The highest-ranked account with a name and a list. */
const SAMPLE = statement<object, Sample>((db) =>
  db
    .selectFrom('leaderboard')
    .innerJoin('accounts', 'accounts.id', 'leaderboard.account')
    .innerJoin('profiles', 'profiles.address', 'accounts.address')
    .select((eb) => ['accounts.address', 'profiles.name', eb.ref('accounts.active_list').$castTo<string>().as('list')])
    .where('profiles.name', '<>', sql.lit(''))
    .where('accounts.active_list', 'is not', null)
    .orderBy('leaderboard.followers', 'desc')
    .orderBy('leaderboard.address_key')
    .limit(1),
);

/** Errors that a restart does not repair. */
const PERMANENT: readonly ErrorCode[] = [
  'E_USAGE',
  'E_CONFIG',
  'E_DEMO_DATABASE',
  'E_OTHER_DEPLOYMENT',
  'E_EARLIER_START_BLOCK',
  'E_PORT_IN_USE',
  'E_LISTEN',
];

/**
 * Runs `serve`, and beside it `kith index` in a child process, which is restarted when it exits. Ends both if it cannot
 * index at all. If a later version has migrated the database, only the indexing ends: in a rolling upgrade, this process
 * serves until it is replaced.
 */
async function withIndexer(context: Context, serve: (context: Context) => Promise<void>): Promise<void> {
  if (!hasWork(context.config)) return serve(context);
  const { logger } = context;
  const failed = new AbortController();
  const indexer = supervise({
    start: () => fork(MAIN, ['index', SUPERVISED], { stdio: 'inherit' }),
    exitMessage: 'indexer exited, serving continues',
    logger,
    onExit({ error, reason }) {
      if (error === 'E_NEWER_DATABASE')
        logger.error({ reason }, 'indexing has ended, serving continues until this process is replaced');
      else if (error !== undefined && PERMANENT.includes(error)) failed.abort(new CommandError(error, reason));
      else return true;
      return false;
    },
  });
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
