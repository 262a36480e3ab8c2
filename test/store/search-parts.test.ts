import { describe, expect, it } from 'vitest';
import { gramsOf } from '../../src/graph/search-grams.ts';
import { engines } from '../support/engines.ts';
import { queryFromOutside } from './from-outside.ts';
import { useOwnDatabase } from './own-database.ts';

const sqlite = engines.filter(({ name }) => name === 'sqlite');

describe.each(sqlite)('what the leaderboard is searched by in $name', (engine) => {
  const own = useOwnDatabase(engine);

  it('is one part when it has been written by one change, however large: each costs every search', async () => {
    const store = await own.open();
    const come = Array.from({ length: 1_000 }, (_, place) => ({
      place,
      grams: gramsOf(`0x${place.toString(16).padStart(40, '5')}`, `${place}.eth`),
    }));
    await store.transaction((tx) => tx.indexGrams([], come));
    const [found] = await queryFromOutside(
      own.database,
      'select count(distinct segid) as parts from leaderboard_grams_idx',
    );
    expect(found).toEqual({ parts: 1 });
  });
});
