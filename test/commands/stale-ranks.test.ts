import { describe, expect, it } from 'vitest';
import { ANNS, annsList, BOB, BOBS, bobsList, CAT, follow, logsOf } from '../model/small-history.ts';
import { useOwnDatabase, withStore } from '../store/own-database.ts';
import { queryDatabase } from '../store/query-database.ts';
import { dump } from '../support/dump.ts';
import { anyEngine } from '../support/engines.ts';
import { fetchAnswer } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { importInput, linesOf, writeTemporary } from './import-files.ts';
import { runKith, startKithHere } from './run-here.ts';
import { followKith, type RunningKith } from './run-kith.ts';

const BEFORE = [...annsList, ...bobsList, follow(ANNS, BOB)];
const AFTER = [...BEFORE, follow(BOBS, CAT), follow(ANNS, CAT)];

describe.each(anyEngine)('ranks after kith import was killed before its ranking, on $name', (engine) => {
  const own = useOwnDatabase({ create: engine.createOwn });

  /** The first file is committed and the second is standard input, which stays open until the process is killed. */
  async function killImport() {
    const file = await writeTemporary('logs.ndjson', linesOf(logsOf(AFTER)));
    const { child, outcome } = followKith(['import', 'logs', file, '-'], { DATABASE_URL: own.database.url });
    await waitFor(async () => {
      const [logs] = await queryDatabase(own.database, "select value from state where key = 'logs'");
      expect(Number((logs as { value: number }).value)).toBe(AFTER.length);
    });
    child.kill('SIGKILL');
    await outcome;
  }
  const findOnBoard = () =>
    queryDatabase(
      own.database,
      `select address from leaderboard join accounts on accounts.id = account where address = '${CAT}'`,
    );
  const searchOf = async (kith: RunningKith) => {
    const { json } = await fetchAnswer(`${kith.url}/api/v1/leaderboard/search`);
    return json.results.map(({ address }: { address: string }) => address);
  };
  const start = (command: 'start' | 'serve', env: Readonly<Record<string, string>> = {}) =>
    startKithHere([command], { DATABASE_URL: own.database.url, ...env });

  it('are made by kith start before it serves', async () => {
    await importInput(own.database, 'logs', linesOf(logsOf(BEFORE)));
    await killImport();
    expect(await findOnBoard()).toEqual([]);
    expect(await searchOf(await start('start'))).toContain(CAT);
  });

  it('are made by kith serve, also if it was running already', async () => {
    await importInput(own.database, 'logs', linesOf(logsOf(BEFORE)));
    const kith = await start('serve', { RANKS_INTERVAL_MS: '100' });
    expect(await searchOf(kith)).not.toContain(CAT);
    await killImport();
    await expect.poll(() => searchOf(kith)).toContain(CAT);
    expect(kith.stderr()).toContain('updated ranks that were older than the graph');
  });

  it('are those of a clean import after the next import of anything', async () => {
    const clean = await own.another();
    await importInput(clean, 'logs', linesOf(logsOf(AFTER)));
    await importInput(own.database, 'logs', linesOf(logsOf(BEFORE)));
    await killImport();
    expect(await findOnBoard()).toEqual([]);
    expect(await runKith(['import', 'profiles', '-'], { env: { DATABASE_URL: own.database.url } })).toMatchObject({
      code: 0,
    });
    expect(await withStore(own.database, dump)).toEqual(await withStore(clean, dump));
  });
});
