import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { entriesOf } from '../http/page-links.ts';
import { ServiceFixture } from '../http/support.ts';
import { engines } from '../support/engines.ts';
import type { Service } from '../support/service.ts';
import { runKith } from './run-here.ts';

type Row = Record<string, string>;
type Connection = Awaited<ReturnType<DuckDBInstance['connect']>>;

/** The SQL of a section of docs/data.md. */
const page = readFileSync(new URL('../../docs/data.md', import.meta.url), 'utf8');
const sqlOf = (title: string): string => {
  const [, sql] = new RegExp(`^#+ ${title}$.*?^\`\`\`sql\n(.*?)^\`\`\`$`, 'ms').exec(page) ?? [];
  return sql ?? expect.fail(`docs/data.md has no SQL in ${title}`);
};

const countBy = (names: readonly string[]): [name: string, count: number][] =>
  [...Map.groupBy(names, (name) => name)]
    .map(([name, all]): [string, number] => [name, all.length])
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .slice(0, 10);

describe.each(engines)('the queries of docs/data.md, on a demo graph of $name', (engine) => {
  const fixture = new ServiceFixture(engine);
  let service: Service;
  let temporary: string;
  let instance: DuckDBInstance;
  let duckdb: Connection;
  beforeAll(async () => {
    service = await fixture.serveDemo();
    temporary = await mkdtemp(join(tmpdir(), 'kith-graph-'));
    const folder = join(temporary, 'graph');
    const { code, stderr } = await runKith(['export', 'graph', folder], { env: { DATABASE_URL: fixture.url } });
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
    instance = await DuckDBInstance.create(':memory:');
    duckdb = await instance.connect();
    await query(sqlOf('DuckDB'));
  });
  afterAll(async () => {
    duckdb?.closeSync();
    instance?.closeSync();
    await rm(temporary, { recursive: true, force: true });
    await fixture.close();
  });

  const query = async (sql: string): Promise<Row[]> => {
    const result = await duckdb.runAndReadAll(sql.replaceAll("'graph/", `'${temporary}/graph/`));
    return result.getRowObjectsJson() as Row[];
  };
  const rowsOf = async (path: string): Promise<Row[]> => {
    const { text } = await service.get(`${path}${path.includes('?') ? '&' : '?'}format=ndjson`);
    return text
      .trim()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  };
  const members = () => rowsOf('/leaderboard/ranked?sort=followers');

  it('find the top accounts of the leaderboard', async () => {
    const top = (await members()).slice(0, 10).map(({ address, name, followers }) => ({ address, name, followers }));
    expect(await query(sqlOf('Top accounts'))).toEqual(top.map((row) => ({ ...row, name: row.name || null })));
  });

  it('count mutual follows as the leaderboard does', async () => {
    const top = (await rowsOf('/leaderboard/ranked?sort=mutuals')).slice(0, 10);
    expect(await query(sqlOf('Mutual follows'))).toEqual(top.map(({ address, mutuals }) => ({ address, mutuals })));
  });

  it('have the reciprocity of the counts', async () => {
    const all = await members();
    const sumOf = (key: string) => all.reduce((sum, row) => sum + Number(row[key]), 0);
    const [{ reciprocity } = {}] = await query(sqlOf('Reciprocity'));
    expect(Number(reciprocity)).toBeCloseTo(sumOf('mutuals') / sumOf('following'), 10);
  });

  it('count the tags of all edges', async () => {
    const tags: string[] = [];
    for (const { address } of await rowsOf('/leaderboard/all')) {
      const { json } = await service.get(`/users/${address}/taggedAs`);
      for (const { tag } of json.taggedAddresses) tags.push(tag);
    }
    const rows = await query(sqlOf('Tags used most'));
    expect(rows.map(({ tag, uses }) => [tag, Number(uses)])).toEqual(countBy(tags));
  });

  it('find whom the followers of an account follow', async () => {
    const ada = entriesOf(await service.get('/leaderboard/search?term=ada.eth&limit=1')) as Row[];
    const followed: string[] = [];
    for (const { address } of await rowsOf('/users/ada.eth/followers'))
      for (const one of await rowsOf(`/users/${address}/following`)) followed.push(one.address ?? '');
    const rows = await query(sqlOf('Followers of followers'));
    expect(rows.map(({ address, followers }) => [address, Number(followers)])).toEqual(
      countBy(followed.filter((address) => address !== ada[0]?.address)),
    );
  });

  it('make Parquet with the same rows and types', async () => {
    await query(sqlOf('Parquet'));
    const inFile = await query("from 'graph/edges.parquet' order by source, target");
    expect(inFile).toEqual(await query('from edges order by source, target'));
    expect(inFile.length).toBeGreaterThan(1000);
    const [{ type } = {}] = await query("select typeof(updated_at) as type from 'graph/edges.parquet' limit 1");
    expect(type).toBe('TIMESTAMP');
    const described = await query('select count(*) as lists, count(slot) as slots from lists');
    expect(Number(described[0]?.lists)).toBeGreaterThan(100);
  });
});
