import { createIsEmpty } from '../lookup/is-empty.ts';
import { createSampleLookup, type Sample } from '../lookup/sample.ts';
import { createStatusLookup } from '../lookup/status.ts';
import { type Command, type Context, refuseWords } from './command.ts';
import { sourceKindsOf } from './create-sources.ts';
import { DEFAULT_ACCOUNTS, DEFAULT_SEED, makeDemo } from './demo.ts';
import { hasWork } from './index-chains.ts';
import { rebuildStore } from './rebuild.ts';
import { serveStore } from './serve.ts';
import { serveInWorkers } from './serve-workers.ts';
import { startIndexer } from './start-indexer.ts';
import { withStore } from './with-store.ts';

export const start: Command = {
  usage: '',
  isLongRunning: true,
  help: `Answers HTTP requests like serve, and follows the chains like index, in a process of its own, if nodes are named
(RPC_URL_<chainId>) or profiles are to be kept fresh (ENSTATE_URL). Without nodes and sources, an empty database is first
given a demo graph, so that there is something to look at.`,
  async run(context, args) {
    refuseWords(args);
    const { stdout } = context;
    await withStore(context, async (store) => {
      const { counts } = await createStatusLookup(store, sourceKindsOf(context.config.sources))(context.now());
      if (!isLive(context.config) && (await createIsEmpty(store.reader)())) {
        stdout.write('The database is empty: making a demo graph. Nothing in it is real.\n');
        await makeDemo(context, store, { accounts: DEFAULT_ACCOUNTS, seed: DEFAULT_SEED });
      }
      // With nodes, the indexer sees to it.
      if (context.config.rpcUrls.size === 0 && counts.unfoldedLogs > 0) {
        stdout.write('A bulk load was interrupted: making the graph from the logs that are stored.\n');
        await rebuildStore(context, store);
      }
      const sample = await createSampleLookup(store.reader)();
      const indexer = hasWork(context.config) ? startIndexer(context) : null;
      try {
        const invite = async (url: string) => {
          stdout.write(invitation(url, sample));
        };
        if (context.config.workers > 1) await serveInWorkers(context, invite);
        else await serveStore(context, store, invite);
      } finally {
        await indexer?.stop();
      }
    });
  },
};

/** Whether anything real is asked for: invented accounts are not to be mixed with it, nor to be asked about. */
function isLive({ rpcUrls, sources: { names, badges } }: Context['config']): boolean {
  return rpcUrls.size > 0 || names.kind !== 'none' || badges.kind !== 'none';
}

/** A URL to try for each endpoint, about an account that exists. */
function invitation(url: string, sample: Sample | null): string {
  const { list, address, name } = sample ?? { list: '0', address: `0x${'0'.repeat(40)}`, name: 'name.eth' };
  const paths = [
    `lists/${list}/details`,
    `users/${encodeURIComponent(name)}/badges`,
    `lists/${list}/badges`,
    `leaderboard/search?term=${encodeURIComponent([...name].slice(0, 3).join(''))}`,
    `users/${address}/notifications`,
    `users/${encodeURIComponent(name)}/followers?sort=followers`,
    `lists/${list}/followers?limit=5`,
  ];
  const lines = paths.map((path) => `  ${url}/api/v1/${path}\n`);
  return `\nKith listens on ${url}. Try:\n${lines.join('')}Documentation: ${url}/docs\n\n`;
}
