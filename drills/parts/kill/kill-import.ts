import { join } from 'node:path';
import { runKith, spawnKith } from '../../harness/kith.ts';
import { sleep } from '../../harness/numbers.ts';
import { differences, digestTables } from '../../harness/table-digests.ts';
import { type KillRound, urlOf } from './prepare.ts';

/** Kills an import up to three times, then repeats it. */
export const killImport: KillRound = async ({ files, importMs, expected, random, trial, name }) => {
  const path = join(trial.folder, `${name}.db`);
  for (let kills = 1 + random.int(3); kills > 0; kills--) {
    const kith = spawnKith(['import', 'logs', ...files], urlOf(path));
    await Promise.race([sleep(random.int(importMs)), kith.exit()]);
    await kith.kill();
  }
  await runKith(['import', 'logs', ...files], urlOf(path));
  return differences(digestTables(path), expected);
};
