import { computeRanks } from '../../src/ranks/compute-ranks.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { RanksJob } from './measure-ranks.ts';

/** More than the search index of any graph here has. */
const ALL_PAGES = 1_000_000;

/** Runs a ranking per message in a separate process, as the indexer does. Sends its milliseconds, or null if none was due. */
const [path = ''] = process.argv.slice(2);
// A ranking writes more than the WAL should hold while the readers of the benchmark keep it from being reset.
const onError = ({ message }: Error) => console.error(message);
const store = await openStore({ engine: 'sqlite', path }, { threads: true, onError });

process.on('message', async ({ tidies = false }: RanksJob) => {
  const began = performance.now();
  const joined = await store.transaction((tx) => computeRanks(tx, Date.now()));
  const ms = performance.now() - began;
  if (tidies) await store.transaction((tx) => tx.mergeGrams(ALL_PAGES, true));
  process.send?.(joined === null ? null : ms);
});
