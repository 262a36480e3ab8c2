import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GRAPH_TABLES } from '../../src/lookup/graph/graph-tables.ts';
import type { Store } from '../../src/store/store.ts';
import { ServiceFixture, write } from '../http/support.ts';
import {
  ANN,
  ANNS,
  annsList,
  BOB,
  BOBS,
  bobsList,
  CAT,
  follow,
  logsOf,
  tag,
  unfollow,
} from '../model/small-history.ts';
import { engines } from '../support/engines.ts';
import { loadLogs, loadProfiles } from '../support/load.ts';
import { newPath } from '../support/new-path.ts';
import { readCsv } from '../support/parse-csv.ts';
import type { Service } from '../support/service.ts';
import { runKith } from './run-here.ts';
import { failureIn } from './run-kith.ts';

type Row = Record<string, string>;

const byText = (a: object, b: object) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);

describe.each(engines)('kith export graph on $name', (engine) => {
  const fixture = new ServiceFixture(engine);
  let service: Service;
  beforeAll(async () => {
    service = await fixture.serveDemo();
  });
  afterAll(() => fixture.close());

  const kith = (...args: string[]) => runKith(['export', 'graph', ...args], { env: { DATABASE_URL: fixture.url } });
  const rowsOf = async (path: string): Promise<Row[]> => {
    const { text } = await service.get(`${path}${path.includes('?') ? '&' : '?'}format=ndjson`);
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  };

  it('writes the edges, tags, accounts and lists that the API answers with', async () => {
    const folder = await newPath('graph');
    // As a shell completes the name of a folder.
    const { code, stdout } = await kith(`${folder}/`);
    const files = await readdir(folder);
    expect({ code, files: files.sort() }).toEqual({
      code: 0,
      files: ['accounts.csv', 'edges.csv', 'lists.csv', 'tags.csv'],
    });
    const read = async (name: string) => readCsv(await readFile(join(folder, `${name}.csv`), 'utf8'));
    const [accounts, edges, tags, lists] = (await Promise.all(['accounts', 'edges', 'tags', 'lists'].map(read))) as [
      Row[],
      Row[],
      Row[],
      Row[],
    ];
    expect(stdout).toBe(
      `${folder}/: ${accounts.length} accounts, ${edges.length} edges, ${tags.length} tags, ${lists.length} lists written\n`,
    );
    const expected = { edges: [] as Row[], tags: [] as Row[] };
    for (const account of accounts) {
      const { address: target = '' } = account;
      for (const { address: source = '', updated_at = '', svc_list_nft_token_id: list = '', ...entry } of await rowsOf(
        `/users/${target}/allFollowers`,
      )) {
        const entryTags = entry.tags as unknown as string[];
        const relation = entryTags.includes('block') ? 'block' : entryTags.includes('mute') ? 'mute' : 'follow';
        expected.edges.push({ source, target, relation, updated_at, list });
        for (const one of entryTags) expected.tags.push({ source, target, tag: one });
      }
    }
    expect(edges.toSorted(byText)).toEqual(expected.edges.sort(byText));
    expect(tags.toSorted(byText)).toEqual(expected.tags.sort(byText));
    expect(new Set(edges.map(({ relation }) => relation)).size).toBe(3);
    for (const account of accounts.slice(0, 40)) {
      const { json } = await service.get(`/users/${account.address}/details`);
      const { followers_count, following_count, primary_list, ens } = json;
      expect(account).toMatchObject({
        ...{ name: ens.name, primary_list, followers: `${followers_count}`, following: `${following_count}` },
      });
    }
    const members = new Map((await rowsOf('/leaderboard/ranked')).map((member) => [member.address, member]));
    for (const { address, mutuals, top8, blocked_by } of accounts) {
      const member = members.get(address);
      if (member !== undefined)
        expect({ mutuals, top8, blocked_by }).toEqual({
          mutuals: member.mutuals,
          top8: member.top8,
          blocked_by: member.blocks,
        });
    }
    expect(lists.length).toBeGreaterThan(100);
    for (const list of lists.slice(0, 40)) {
      const { json } = await service.get(`/lists/${list.token_id}`);
      const place = json.storage_location ?? { chain_id: '', contract: '', slot: '' };
      const { token_id, owner, user, manager, is_primary_list } = json;
      expect(list).toEqual({
        token_id,
        owner,
        user,
        manager,
        ...place,
        is_primary: `${is_primary_list}`,
        account: user || owner,
      });
    }
  });

  it('reads the same rows in pages of any size, each once', async () => {
    const store = await fixture.open();
    for (const { name, read } of GRAPH_TABLES) {
      const rowsIn = async (pageRows: number) => {
        const rows: string[] = [];
        for await (const some of read(store.heavy.reader, pageRows))
          rows.push(...some.map((row) => JSON.stringify(row)));
        return rows;
      };
      const whole = await rowsIn(100_000);
      expect({ name, isSeveral: whole.length > 50, unique: new Set(whole).size }).toEqual({
        ...{ name, isSeveral: true, unique: whole.length },
      });
      for (const pageRows of [7, 100]) expect(await rowsIn(pageRows)).toEqual(whole);
    }
  });

  it('refuses a folder that exists, one without a parent and a missing name, and leaves nothing', async () => {
    const folder = await newPath('graph');
    await mkdir(folder);
    await writeFile(join(folder, 'kept'), '');
    const existing = await kith(folder);
    expect([existing.code, failureIn(existing.stderr)]).toEqual([1, `${folder}: the folder exists already [E_OUTPUT]`]);
    expect(await readdir(folder)).toEqual(['kept']);
    const nowhere = await kith(join(folder, 'no', 'graph'));
    expect(failureIn(nowhere.stderr)).toMatch(/graph: ENOENT: .* \[E_OUTPUT\]$/);
    const unnamed = await kith();
    expect([unnamed.code, failureIn(unnamed.stderr)]).toEqual([2, 'DIR: expected the name of a new folder [E_USAGE]']);
    expect(await readdir(join(folder, '..'))).toEqual(['graph']);
  });

  it('replaces the partial folder of an export that was killed', async () => {
    const folder = await newPath('graph');
    await mkdir(`${folder}.partial`);
    await writeFile(join(`${folder}.partial`, 'edges.csv'), 'half');
    expect((await kith(folder)).code).toBe(0);
    expect(await readdir(join(folder, '..'))).toEqual(['graph']);
  });
});

describe.each(engines)('the tables of the graph on $name', (engine) => {
  const fixture = new ServiceFixture(engine);
  let store: Store;
  beforeAll(async () => {
    store = await fixture.open();
    await loadLogs(
      store,
      logsOf([...annsList, ...bobsList, follow(ANNS, BOB), follow(BOBS, ANN), tag(ANNS, BOB, '=1\r\n"x"')]),
    );
  });
  afterAll(() => fixture.close());

  it('are of one state, whatever is committed while they are read', async () => {
    const other = await fixture.open();
    const read = await store.snapshots.snapshot(async (reader) => {
      const found: Record<string, unknown[]> = {};
      for (const { name, read } of GRAPH_TABLES) {
        const rows: unknown[] = [];
        for await (const some of read(reader)) rows.push(...some);
        found[name] = rows;
        if (name === 'accounts') await write(other, [unfollow(ANNS, BOB), follow(BOBS, CAT)], other);
      }
      return found;
    });
    expect(read.accounts).toHaveLength(2);
    expect(read.edges).toHaveLength(2);
    expect(read.tags).toEqual([[ANN, BOB, '=1\r\n"x"']]);
    await write(other, [follow(ANNS, BOB), tag(ANNS, BOB, '=1\r\n"x"')], other);
  });

  it('are written with quotes, line breaks and formulas that are read back as they were', async () => {
    const hostile = { avatar: '', header: '', records: {}, chains: {}, fresh: 1, resolver: '', errors: {} };
    await loadProfiles(store, [{ ...hostile, address: ANN, name: 'ann.eth', display: 'ann.eth' }]);
    const folder = await newPath('graph');
    const { code } = await runKith(['export', 'graph', folder], { env: { DATABASE_URL: fixture.url } });
    expect(code).toBe(0);
    const text = await readFile(join(folder, 'tags.csv'), 'utf8');
    expect(text).toBe(`source,target,tag\r\n${ANN},${BOB},"'=1\r\n""x"""\r\n`);
    expect(readCsv(text)).toEqual([{ source: ANN, target: BOB, tag: '=1\r\n"x"' }]);
  });
});
