import { createRandom } from '../../test/model/random.ts';
import { type Drill, figure, holds } from '../drill.ts';
import { killImport } from './kill/kill-import.ts';
import { killIndexer } from './kill/kill-indexer.ts';
import { killRanking } from './kill/kill-ranking.ts';
import { killRebuild } from './kill/kill-rebuild.ts';
import { killWorker } from './kill/kill-worker.ts';
import { prepare } from './kill/prepare.ts';

const KINDS = {
  import: killImport,
  ranking: killRanking,
  rebuild: killRebuild,
  indexer: killIndexer,
  worker: killWorker,
};

export const kill: Drill = {
  name: 'kill',
  title: 'SIGKILL at random moments, compared with a clean run',
  limitMinutes: 20,
  async run(trial) {
    const random = createRandom(trial.seed);
    const rounds = trial.isQuick ? 5 : 50;
    const kinds = Object.entries(KINDS);
    const setup = await prepare(trial);
    const faults = new Map<string, string[]>(kinds.map(([name]) => [name, []]));
    for (let round = 0; round < rounds; round++) {
      // Safe: the remainder is an index.
      const [name, run] = kinds[round % kinds.length] as (typeof kinds)[number];
      const found = await run({ ...setup, trial, random, name: `${name}-${round}` });
      trial.log(`${round + 1}: ${name}: ${found.length === 0 ? 'equal' : found.join('; ')}`);
      faults.get(name)?.push(...(found.length === 0 ? [] : [`round ${round + 1}: ${found.join('; ')}`]));
    }
    return [
      figure('kills', `${rounds}, seed ${trial.seed}`),
      ...[...faults].map(([name, found]) =>
        holds(`${name} killed`, 'as a clean run', found.length === 0, found[0] ?? 'equal in every round'),
      ),
    ];
  },
};
