import { join } from 'node:path';
import { runKith, spawnKith } from '../../harness/kith.ts';
import { sleep } from '../../harness/numbers.ts';
import { differences, digestTables } from '../../harness/table-digests.ts';
import { copyDatabase, type KillRound, urlOf } from './prepare.ts';

/** Kills a rebuild: the old graph is still complete, and a second rebuild makes the same one. */
export const killRebuild: KillRound = async ({ clean, rebuildMs, expected, random, trial, name }) => {
  const path = join(trial.folder, `${name}.db`);
  copyDatabase(clean, path);
  const kith = spawnKith(['rebuild'], urlOf(path));
  await Promise.race([sleep(random.int(rebuildMs)), kith.exit()]);
  await kith.kill();
  const found = differences(digestTables(path), expected);
  await runKith(['rebuild'], urlOf(path));
  return [...found, ...differences(digestTables(path), expected)];
};
