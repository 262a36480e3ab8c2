import { describe, expect, it } from 'vitest';
import { writeBadges } from '../../src/badges/badge.ts';
import { finishMigration } from '../../src/ingest/rebuild/finish-migration.ts';
import type { Store } from '../../src/store/store.ts';
import { randomHistory } from '../model/random-history.ts';
import { sizes } from '../support/dump.ts';
import { engines } from '../support/engines.ts';
import { loadLogs, loadProfiles, loadRanks } from '../support/load.ts';
import { readAnswers } from '../support/read-answers.ts';
import { MIGRATIONS, makeOldDatabase } from './old-database.ts';
import { allRows, type Rows, useOwnDatabase, withStore } from './own-database.ts';

/** A seed with many follows in few logs. */
const LOGS = randomHistory(26, { logs: 100 });

describe.each(engines)('a database of an earlier version on $name', (engine) => {
  const own = useOwnDatabase({ create: engine.createBare });

  it.each(MIGRATIONS.slice(0, -1))(
    'has the rows and answers of a fresh load after an upgrade from %s',
    async (migration) => {
      const today = await own.another();
      await withStore(today, load);
      const expected = await withStore(today, async (store) => [
        comparable(await allRows(store)),
        await readAnswers(store),
      ]);
      expect(sizes(expected[0] as Rows)).toMatchObject({
        edges: 18,
        edge_tags: 3,
        leaderboard: 9,
        profiles: 9,
        badges: 9,
      });
      await makeOldDatabase(own.database, migration, today);
      await withStore(own.database, async (store) => {
        await finishMigration(store, 2_000);
        expect([comparable(await allRows(store)), await readAnswers(store)]).toEqual(expected);
      });
    },
  );
});

/** Logs, ranks, and a profile and a badge for every member of the leaderboard. */
async function load(store: Store): Promise<void> {
  await loadLogs(store, LOGS);
  await loadRanks(store, 1_000);
  const members = await store.transaction((tx) => tx.query((db) => db.selectFrom('leaderboard').select('address')));
  const [avatar, header] = ['https://images.example/avatar.png', 'https://images.example/header.png'];
  const profiles = members.map(({ address }, i) => ({ address, name: `name-${i}.eth`, avatar, header, fresh: 1 }));
  await loadProfiles(store, profiles);
  const badges = members.map(({ address }) => ({ address, event_id: '177709', collection: null, checked_at: 1 }));
  await store.transaction((tx) => writeBadges(tx, badges));
}

/** Drops versions and times, which may differ. */
function comparable(rows: Rows): Rows {
  return { ...rows, state: rows.state?.filter((row) => !/_version|ranks_made_at/.test(String(row))) ?? [] };
}
