import { join } from 'node:path';
import { runKith, spawnKith, startKith } from '../../harness/kith.ts';
import { sleep, until } from '../../harness/numbers.ts';
import { differences, digestTables, readState } from '../../harness/table-digests.ts';
import { copyDatabase, type KillRound, urlOf } from './prepare.ts';

/** Longer than the ranking of this graph takes. */
const RANKING_MS = 400;
const SERVER_LIMIT_MS = 15_000;

/** Kills an import after its logs are committed, then starts the server, which has to make the ranks. */
export const killRanking: KillRound = async ({ files, base, expected, random, trial, name }) => {
  const path = join(trial.folder, `${name}.db`);
  const last = files.at(-1) ?? '';
  copyDatabase(base, path);
  const kith = spawnKith(['import', 'logs', last], urlOf(path));
  await kith.untilSaid(/ logs read, /);
  await Promise.race([sleep(random.int(RANKING_MS)), kith.exit()]);
  await kith.kill();
  const server = await startKith('start', urlOf(path));
  const isRanked = await until(() => {
    const { graph_version, ranks_graph_version } = readState(path);
    return graph_version === ranks_graph_version;
  }, SERVER_LIMIT_MS);
  await server.stop();
  const found = isRanked
    ? differences(digestTables(path), expected)
    : ['after a start, the ranks are older than the graph'];
  await runKith(['import', 'logs', last], urlOf(path));
  return [...found, ...differences(digestTables(path), expected)];
};
