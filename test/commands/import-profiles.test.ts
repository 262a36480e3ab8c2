import { describe, expect, it } from 'vitest';
import { createRandom } from '../model/random.ts';
import { ANN, ANNS, annsList, BOB, bobsList, follow, logsOf } from '../model/small-history.ts';
import { useOwnDatabase, withStore } from '../store/own-database.ts';
import { engines } from '../support/engines.ts';
import { startService } from '../support/service.ts';
import { importFiles, importInput, linesOf, writeTemporary } from './import-files.ts';

const older = { address: ANN, name: 'old.eth', fresh: 1_700_000_000_000 };
const newer = { address: ANN, name: 'new.eth', fresh: 1_700_000_000_001 };

describe.each(engines)('kith import profiles on $name', (engine) => {
  const own = useOwnDatabase(engine);
  const names = () =>
    withStore(own.database, (store) =>
      store.transaction((tx) => tx.query((db) => db.selectFrom('profiles').select(['name', 'fresh']))),
    );

  it('does not replace a stored profile by an older one', async () => {
    await importInput(own.database, 'profiles', linesOf([newer]));
    const { code, stdout } = await importInput(own.database, 'profiles', linesOf([older]));
    expect({ code, stdout }).toEqual({ code: 0, stdout: '-: 1 profiles read, 0 new\n' });
    expect(await names()).toEqual([{ name: 'new.eth', fresh: newer.fresh }]);
  });

  it.each([
    ['the newer one first', [newer, older]],
    ['the older one first', [older, newer]],
  ])('keeps the newer of two profiles in one file, %s', async (_, profiles) => {
    await importInput(own.database, 'profiles', linesOf(profiles));
    expect(await names()).toEqual([{ name: 'new.eth', fresh: newer.fresh }]);
  });

  it.each([
    ['the newer one first', [newer, older]],
    ['the older one first', [older, newer]],
  ])('keeps the newer of two profiles in two files of one command, %s', async (_, profiles) => {
    const files = await Promise.all(profiles.map((profile) => writeTemporary('profile', linesOf([profile]))));
    await importFiles(own.database, 'profiles', ...files);
    expect(await names()).toEqual([{ name: 'new.eth', fresh: newer.fresh }]);
  });

  it('treats addresses as case-insensitive', async () => {
    const shouted = { ...older, address: `0x${ANN.slice(2).toUpperCase()}` };
    await importInput(own.database, 'profiles', linesOf([newer, shouted]));
    expect(await names()).toEqual([{ name: 'new.eth', fresh: newer.fresh }]);
  });

  it('updates the name in rows that were stored before the profile', async () => {
    await importInput(own.database, 'logs', linesOf(logsOf([...annsList, ...bobsList, follow(ANNS, BOB)])));
    await importInput(own.database, 'profiles', linesOf([newer]));
    const shown = await withStore(own.database, async (store) => {
      const service = await startService(store, { now: () => 1_760_000_100_000 });
      try {
        const { json: board } = await service.get('/leaderboard/search?term=new');
        const { json: news } = await service.get(`/users/${BOB}/notifications`);
        return [board.results.map(nameOf), news.notifications.map(nameOf)];
      } finally {
        await service.close();
      }
    });
    expect(shown).toEqual([['new.eth'], ['new.eth']]);
  });

  it('accepts a profile with a very long name', async () => {
    const random = createRandom(1);
    // Random ideographs are normalised, take three bytes each, and do not compress.
    const label = Array.from({ length: 996 }, () => String.fromCodePoint(0x4e00 + random.int(20_000))).join('');
    const { code, stderr } = await importInput(own.database, 'profiles', linesOf([{ ...newer, name: `${label}.eth` }]));
    expect(code, stderr).toBe(0);
    expect(await names()).toMatchObject([{ fresh: newer.fresh }]);
  });
});

const nameOf = (entry: { name: string }) => entry.name;
