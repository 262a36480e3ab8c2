import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadDemo } from '../../src/demo/load-demo.ts';
import { RankBook } from '../../src/lookup/leaderboard/rank-book.ts';
import { readLeaderboard } from '../../src/lookup/leaderboard/search.ts';
import { compile } from '../../src/store/params.ts';
import { LOOKUP_SETTINGS } from '../../src/store/postgres/reader.ts';
import type { Reader } from '../../src/store/store.ts';
import { NOW, ServiceFixture } from '../http/support.ts';
import { engines } from '../support/engines.ts';

interface Plan {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly Plans?: readonly Plan[];
}

/** How many rows of the leaderboard a plan has read. */
function membersRead(plan: Plan): number {
  const own = plan['Relation Name'] === 'leaderboard' ? plan['Actual Rows'] * plan['Actual Loops'] : 0;
  return (plan.Plans ?? []).map(membersRead).reduce((sum, rows) => sum + rows, own);
}

// SQLite narrows a search by an index that is in the order of the leaderboard.
describe.each(engines.filter(({ name }) => name === 'postgres'))('a search on $name', (engine) => {
  const fixture = new ServiceFixture(engine);
  let client: pg.Client;
  let reader: Reader;
  beforeAll(async () => {
    const store = await fixture.open();
    await loadDemo(store, { accounts: 400, seed: 1, now: NOW }, () => undefined);
    ({ reader } = store);
    client = new pg.Client({ connectionString: fixture.url });
    await client.connect();
    await client.query('analyze');
    for (const [name, value] of Object.entries(LOOKUP_SETTINGS)) await client.query(`set ${name} = ${value}`);
  });
  afterAll(async () => {
    await client?.end();
    await fixture.close();
  });

  it('reads no member of the leaderboard if nothing matches', async () => {
    const read: number[] = [];
    const explaining: Reader = {
      dialect: reader.dialect,
      async all(statement, params) {
        const { text, bind } = compile(
          statement.build(reader.dialect.builder, reader.dialect, false),
          reader.dialect.builder,
        );
        const values = bind(params).map((value) => client.escapeLiteral(String(value)));
        await client.query(`prepare search as ${text}`);
        const given = values.length > 0 ? `(${values.join(', ')})` : '';
        const { rows } = await client.query(`explain (analyze, format json) execute search${given}`);
        await client.query('deallocate search');
        read.push(membersRead(rows[0]['QUERY PLAN'][0].Plan));
        return reader.all(statement, params);
      },
    };
    const found = await readLeaderboard(explaining, new RankBook(), { term: 'qzxwv', limit: 50, offset: 0 });
    expect(found.length).toBe(0);
    expect(Math.max(...read)).toBe(0);
  });
});
