import { makeRanks } from '../../src/ranks/make-ranks.ts';
import { openStore } from '../../src/store/open-store.ts';
import { fail } from '../ingest/time-loads.ts';

/**
 * Makes ranks whenever it is told to, beside the processes that serve, as an indexer does; tells the
 * milliseconds, or null if there was nothing to rank anew.
 */
const [path = ''] = process.argv.slice(2);
const store = await openStore({ engine: 'sqlite', path }, { threads: true, onError: fail });

process.on('message', async () => {
  const began = performance.now();
  const joined = await store.transaction((tx) => makeRanks(tx, Date.now()));
  process.send?.(joined === null ? null : performance.now() - began);
});
