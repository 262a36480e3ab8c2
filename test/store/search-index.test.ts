import { describe, expect, it } from 'vitest';
import { gramsOf } from '../../src/graph/search-grams.ts';
import { engines } from '../support/engines.ts';
import { useOwnDatabase } from './own-database.ts';
import { queryDatabase } from './query-database.ts';

const sqlite = engines.filter(({ name }) => name === 'sqlite');

describe.each(sqlite)('the search index on $name', (engine) => {
  const own = useOwnDatabase(engine);

  // Every segment adds to the time of every search.
  it('has a single FTS5 segment after one change of a thousand rows', async () => {
    const store = await own.open();
    const added = Array.from({ length: 1_000 }, (_, account) => {
      const address_key = `0x${account.toString(16).padStart(40, '5')}` as const;
      return { account, address_key, followers: 0, grams: gramsOf(address_key, `${account}.eth`) };
    });
    await store.transaction((tx) => tx.indexGrams([], added));
    const [found] = await queryDatabase(
      own.database,
      'select count(distinct segid) as segments from leaderboard_grams_idx',
    );
    expect(found).toEqual({ segments: 1 });
  });
});
