import { type Command, UsageError } from './command.ts';
import { loadSnapshot } from './load-snapshot.ts';
import { withStore } from './with-store.ts';

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
