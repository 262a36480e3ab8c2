import { describe, expect, it } from 'vitest';
import { writeCheckedBadges } from '../../src/badges/badge.ts';
import { parseProfile } from '../../src/names/profile.ts';
import { writeProfiles } from '../../src/names/write-profiles.ts';
import { TABLE_NAMES, TABLES, type TableName } from '../../src/store/schema.ts';
import type { Store, Transaction } from '../../src/store/store.ts';
import { SOURCES, type Source, type Versions, versionKey } from '../../src/store/versions.ts';
import { ANNS, annsList, BOB, follow, logsOf, tag } from '../model/small-history.ts';
import { engines } from '../support/engines.ts';
import { loadLogs, loadProfiles, loadRanks } from '../support/load.ts';
import { waitFor } from '../support/wait-for.ts';
import { useOwnDatabase } from './own-database.ts';
import { queryDatabase } from './query-database.ts';
import { badge, block } from './transaction-script.ts';

const PROFILE = { address: BOB, name: 'bob.eth', avatar: 'https://a.example/1', fresh: 1_000 };
const WHOLE: Source[] = ['profiles', 'names'];

describe.each(engines)('the versions of the sources on $name', (engine) => {
  const own = useOwnDatabase(engine);

  /** The sources whose version `work` raises, in the store that has written and in another one. */
  async function changedBy(store: Store, work: () => Promise<unknown>): Promise<Source[]> {
    const other = await own.open();
    const [before, seen] = [versionsOf(store), versionsOf(other)];
    await work();
    const after = versionsOf(store);
    await waitFor(() => expect(versionsOf(other).number).toBe(after.number));
    expect(changed(seen, versionsOf(other))).toEqual(changed(before, after));
    return changed(before, after);
  }
  const written = async (work: (tx: Transaction) => Promise<unknown>) => {
    const store = await own.open();
    return changedBy(store, () => store.transaction(work));
  };

  it('differ in an empty database from those of another one', async () => {
    const opened = await own.open();
    const other = await (await own.another()).open();
    // Databases of the tests are copies, which no other ones are.
    await queryDatabase(own.database, `update state set value = 7 where key = 'version_graph'`);
    const store = await own.open();
    expect(changed(versionsOf(store), versionsOf(other))).toContain('graph');
    await other.close();
    expect(versionsOf(opened).number).toBe(0);
  });

  it('rise for the graph alone when logs are ingested', async () => {
    const store = await own.open();
    await loadLogs(store, logsOf(annsList));
    expect(await changedBy(store, () => loadLogs(store, logsOf([...annsList, follow(ANNS, BOB)])))).toEqual(['graph']);
    expect(
      await changedBy(store, () => loadLogs(store, logsOf([...annsList, follow(ANNS, BOB), tag(ANNS, BOB, 'x')]))),
    ).toEqual(['graph']);
  });

  it('rise for ranks alone when the graph is ranked, although edges are ordered by its counts', async () => {
    const store = await own.open();
    await loadLogs(store, logsOf([...annsList, follow(ANNS, BOB)]));
    expect(await changedBy(store, () => loadRanks(store, 1_000))).toEqual(['ranks']);
  });

  it('rise for profiles and names when a name or an image changes', async () => {
    const store = await own.open();
    const load = (profile: object) => changedBy(store, () => loadProfiles(store, [profile]));
    expect(await load(PROFILE)).toEqual(WHOLE);
    expect(await load({ ...PROFILE, fresh: 2_000, avatar: 'https://a.example/2' })).toEqual(WHOLE);
    expect(await load({ ...PROFILE, fresh: 3_000, header: 'https://a.example/3' })).toEqual(WHOLE);
    expect(await load({ ...PROFILE, fresh: 4_000, name: 'bobby.eth' })).toEqual(WHOLE);
  });

  it('rise for profiles and not for names when a profile is fetched again with equal name and images', async () => {
    const store = await own.open();
    await loadProfiles(store, [PROFILE]);
    expect(await changedBy(store, () => loadProfiles(store, [{ ...PROFILE, fresh: 2_000 }]))).toEqual(['profiles']);
    const [row] = await store.transaction((tx) => tx.readBy('profiles', 'address', [BOB]));
    expect([row?.fresh, JSON.parse(row?.ens ?? '').fresh]).toEqual([2_000, 2_000]);
  });

  it('rise for names when a profile that is fetched again takes its name from another account', async () => {
    const store = await own.open();
    const rows = ['1', '2'].map((digit) => parseProfile({ ...PROFILE, address: `0x${digit.repeat(40)}` }));
    await store.transaction((tx) => tx.insert('profiles', rows));
    const again = { ...PROFILE, address: `0x${'2'.repeat(40)}`, fresh: 2_000 };
    expect(await changedBy(store, () => loadProfiles(store, [again]))).toEqual(WHOLE);
  });

  it('rise for badges when one is found or lost, and not when it is checked again', async () => {
    const store = await own.open();
    const check = (collection: string | null, at: number) =>
      changedBy(store, () => store.transaction((tx) => writeCheckedBadges(tx, [badge('1', collection, at)], at)));
    expect(await check(null, 1)).toEqual([]);
    expect(await check('{}', 2)).toEqual(['badges']);
    expect(await check('{}', 3)).toEqual([]);
    expect(await check(null, 4)).toEqual(['badges']);
  });

  it('rise for each source whose rows a commit writes', async () => {
    const sources = await written(async (tx) => {
      await tx.insert('badges', [badge('1')]);
      await tx.insert('tags', [{ id: 1, tag: 'a' }]);
      await writeProfiles(tx, [parseProfile(PROFILE)]);
    });
    expect(sources).toEqual(['graph', 'profiles', 'names', 'badges']);
  });

  it.each<[string, (tx: Transaction) => Promise<unknown>, Source[]]>([
    ['an insert', (tx) => tx.insert('ranked_counts', [{ measure: 'followers', count: 1, accounts: 1 }]), ['ranks']],
    ['an insert of no rows', (tx) => tx.insert('badges', []), []],
    ['an insert of new rows', (tx) => tx.insertNew('badges', [badge('1')]), ['badges']],
    ['an upsert', (tx) => tx.upsert('badges', [badge('1')]), ['badges']],
    ['a patch', (tx) => tx.patch('accounts', ['followers'], [{ id: 1, followers: 1 }]), ['graph']],
    ['a patch of popularity', (tx) => tx.patch('edges', ['popularity'], [edge(1)]), ['ranks']],
    ['a patch with popularity', (tx) => tx.patch('edges', ['popularity', 'back'], [edge(1)]), ['graph', 'ranks']],
    ['a removal', (tx) => tx.remove('edges', [edge(1)]), ['graph']],
    ['a statement that inserts', (tx) => tx.execute((db) => db.insertInto('badges').values(badge('1'))), ['badges']],
    ['a statement that updates', (tx) => tx.execute((db) => db.updateTable('tags').set({ tag: 'a' })), ['graph']],
    ['a statement that deletes', (tx) => tx.execute((db) => db.deleteFrom('profiles')), WHOLE],
    ['a count', (tx) => tx.count({ list_ops: 1 }), ['graph']],
    ['a count of nothing', (tx) => tx.count({ list_ops: 0 }), []],
    ['a time of ranking', (tx) => tx.upsert('state', [{ key: 'ranked_at', value: 1 }]), ['ranks']],
    ['a key of the state that no answer shows', (tx) => tx.upsert('state', [{ key: 'last_id', value: 1 }]), []],
    ['a row that no answer shows', (tx) => tx.insert('blocks', [block(1, 1)]), []],
    ['a row that no answer shows yet', (tx) => tx.unseen.insert('tags', [{ id: 1, tag: 'a' }]), []],
    ['a resolved name', (tx) => tx.insert('resolved_names', [resolved('a.eth')]), WHOLE],
  ])('rise after %s for the sources of what it writes', async (_, work, expected) => {
    expect(await written(work)).toEqual(expected);
  });

  it('stay the same when new rows are known already', async () => {
    const store = await own.open();
    await store.transaction((tx) => tx.insert('badges', [badge('1')]));
    expect(await changedBy(store, () => store.transaction((tx) => tx.insertNew('badges', [badge('1')])))).toEqual([]);
  });

  it('rise in no store when a transaction is rolled back', async () => {
    const store = await own.open();
    const sources = await changedBy(store, async () => {
      const failed = store.transaction(async (tx) => {
        await tx.insert('badges', [badge('1')]);
        throw new Error('failed');
      });
      await expect(failed).rejects.toThrow('failed');
    });
    expect(sources).toEqual([]);
  });
});

describe('TABLES', () => {
  it('leaves without a source only tables that no cached answer shows', () => {
    const unshown = TABLE_NAMES.filter((table) => TABLES[table].sources.length === 0);
    const expected: TableName[] = [
      ...([
        'logs',
        'blocks',
        'chains',
        'recent_blocks',
        'indexed_contracts',
        'added_contracts',
        'chain_faults',
      ] as const),
      ...(['leases', 'counters', 'changed_accounts', 'popularity_changes', 'search_changes'] as const),
      ...(['wanted_profiles', 'profile_attempts'] as const),
    ];
    expect(unshown).toEqual(expected);
  });
});

describe('versionKey', () => {
  it('depends on the given sources alone', () => {
    const [one, other] = [versions({ graph: 'a', badges: 'x' }), versions({ graph: 'a', badges: 'y' })];
    expect(versionKey(one, ['graph', 'ranks'])).toBe(versionKey(other, ['graph', 'ranks']));
    expect(versionKey(one, ['graph', 'badges'])).not.toBe(versionKey(other, ['graph', 'badges']));
  });
});

function versions(given: Partial<Versions>): Versions {
  return { number: 1, graph: '', profiles: '', names: '', ranks: '', badges: '', ...given };
}

function versionsOf(store: Store): Versions {
  return store.version.current() ?? expect.fail('the versions are unknown');
}

function changed(before: Versions, after: Versions): Source[] {
  return SOURCES.filter((source) => before[source] !== after[source]);
}

function edge(target: number) {
  return { target, time: 1, address_key: `0x${'ab'.repeat(20)}`, popularity: 1, back: 1 } as const;
}

function resolved(name: string) {
  return { name, address: null, resolved_at: 1 };
}
