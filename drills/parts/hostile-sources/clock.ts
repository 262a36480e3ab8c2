import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sleep, until } from '../../harness/numbers.ts';
import type { HostileCase } from './case.ts';
import { attackOf } from './resolver.ts';
import { ALTERED, accountAt, listOf, startService } from './service.ts';

const DAY_MS = 86_400_000;
const AHEAD_MS = 9_000;
const NEW = 900;
/** The serving process makes ranks only if the indexer has not for twice to four times as long. */
const RANKS = { RANKS_INTERVAL_MS: '2000' };
const MADE_BY_SERVER = 'updated ranks that were older than the graph';

const clockCase = (engine: 'sqlite' | 'postgres', isSlow: boolean): HostileCase => ({
  name: `clock: a day ahead for ${AHEAD_MS / 1000} s, ${engine}`,
  isSlow,
  async prepare(setting) {
    const clock = join(setting.folder, 'clock');
    const setAhead = (ms: number) => writeFileSync(clock, String(ms));
    setAhead(0);
    const service = await startService(setting, { engine, env: { ...ALTERED, ...RANKS, DRILL_CLOCK: clock } });
    const isRanked = async (account: string) => (await service.get('/leaderboard/ranked?limit=1000')).includes(account);
    /** Adds an account and waits until it is on the leaderboard. */
    const rankNew = (i: number) => {
      service.base.mine(listOf(i));
      return until(() => isRanked(accountAt(i)), 5_000);
    };
    const attack = attackOf(service, async () => {
      setAhead(DAY_MS);
      await rankNew(NEW);
      await sleep(AHEAD_MS);
      setAhead(0);
      service.base.mine(listOf(NEW + 1));
    });
    return {
      ...attack,
      outcome: {
        'the indexer makes ranks again': async () =>
          (await isRanked(accountAt(NEW + 1))) && !service.output().includes(MADE_BY_SERVER),
      },
    };
  },
});

export const clockCases: readonly HostileCase[] = [clockCase('sqlite', false), clockCase('postgres', true)];
