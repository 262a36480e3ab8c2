import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addressOf } from '../../src/demo/accounts.ts';
import { loadDemo } from '../../src/demo/load-demo.ts';
import { demoSamples } from '../demo/demo-samples.ts';
import { NOW, ServiceFixture } from '../http/support.ts';
import { isDeep } from '../support/effort.ts';
import { type Engine, engines } from '../support/engines.ts';
import { type Asked, routesNotAsked } from '../support/routes-not-asked.ts';
import type { Service } from '../support/service.ts';
import { createExplainer, type Explainer } from './explain.ts';
import { type Recorded, recordStatements, type Statement } from './record-statements.ts';
import { clientRequestsAbout, cursorRequestsAbout, requestsAbout } from './requests.ts';

/**
 * PostgreSQL plans by the sizes of tables: large enough for reading a whole one to be a bad plan, even for the hundred
 * rows that it expects of a JSON array. SQLite has no statistics, and plans alike for any size.
 */
const ACCOUNTS = { sqlite: 1000, postgres: isDeep ? 9000 : 3000 };
const demoOf = (engine: Engine) => ({ accounts: ACCOUNTS[engine.name], seed: 1, now: NOW });

/** Requests whose statements may do more than read index ranges, by engine and title. */
const UNPLANNED: Readonly<Record<string, RegExp>> = {
  'at most 100 records of each of 100 accounts are counted': /\/recommended/,
};
/** Sorting rows of one account, or of a page. */
const SORT = /TEMP B-TREE|of all rows$/;
/** Steps of a plan besides reading index ranges in order, and the requests that may take them. */
const ALLOWED: Readonly<Record<string, { request: RegExp; step: RegExp }>> = {
  'no index has the edges of several tags': { request: /(ollowers|mutuals) .*tags=\w+,/, step: SORT },
  'the subquery of the edges of several tags': { request: /(ollowers|mutuals) .*tags=\w+,/, step: /^SCAN edges$/ },
  'the graph of the test has few tags': {
    request: /tags=\w+,|\/tags(,|$)|\/taggedAs|\/exportState/,
    step: /Scan of tags$|(Sort|Materialize) of all rows$/,
  },
  'the records of a slot are sorted by time and tag': { request: /\/exportState/, step: SORT },
  'the tags of a list are counted and sorted': { request: /\/tags(,|$)|\/taggedAs/, step: SORT },
  'no index has the records of a slot by follower count': { request: /ollowing sort=followers/, step: SORT },
  'the records of a slot are sorted by address': { request: /\/(list-)?records/, step: SORT },
  'the lists of a slot are sorted': { request: /^a slot$/, step: SORT },
  'lists are read from an index until the page is full': {
    request: /\/minters( offset=\d+)?$/,
    step: /\b(SCAN|Scan of) lists\b/,
  },
  'all follows and unfollows of an account are grouped by source and by day': { request: /\/history/, step: SORT },
  'common followers are sorted by mutuals': { request: /\/commonFollowers/, step: SORT },
  'a list that an account has in several roles is found once': { request: /\/lists(,|$)/, step: SORT },
  'the entries of a batch are joined with the records of the slot': { request: /a batch/, step: SORT },
  'an index of the leaderboard is read until the page is full': {
    request: /\/leaderboard\/(all|ranked|search( offset=\d+)?$)/,
    step: /\b(SCAN|Scan of) leaderboard\b/,
  },
  'the logs of a page of events are a subquery': { request: /^events$/, step: /^SCAN logs$/ },
  'the 1,000 newest follows are read from an index': { request: /\/discover/, step: /\b(SCAN|Scan of) edges\b/ },
  ...(isDeep
    ? {}
    : {
        'a page may have 1,000 rows, a third of the accounts': {
          request: /\/discover/,
          step: /^Index Scan of (accounts|leaderboard)$/,
        },
      }),
  'the accounts of the 1,000 newest follows are sorted': { request: /\/discover/, step: SORT },
};
const isAllowed = (title: string, fault: string) =>
  Object.values(ALLOWED).some(({ request, step }) => request.test(title) && step.test(fault));
const isUnplanned = (engine: Engine, title: string) =>
  Object.values(UNPLANNED).some((pattern) => pattern.test(`${engine.name} ${title}`));

/** Each name is resolved by a statement of its own. After an unknown one, whether the data is a demo graph is read. */
const countOf = (path: string) => new Set(path.match(/[\w.]+\.eth/g)).size + 1;
/** A search among edges reads their accounts, and then those of the page. */
const isSearch = (path: string) => /search\w+\?term=/.test(path);

/** Accounts of the demo graph. */
const accountsOf = (count: number) => Array.from({ length: count }, (_, i) => addressOf(1, i));
const addresses = (count: number) => Array.from({ length: count }, (_, i) => `0x${i.toString(16).padStart(40, '0')}`);

describe.each(engines)('the statements of a request on $name', (engine) => {
  const demo = demoOf(engine);
  const samples = demoSamples(demo);
  const fixture = new ServiceFixture(engine);
  const explained = new Set<string>();
  const excepted = new Set<string>();
  const asked: Asked[] = [];
  let recorded: Recorded;
  let service: Service;
  let explainer: Explainer;
  beforeAll(async () => {
    const store = await fixture.open();
    await loadDemo(store, demo, () => undefined);
    recorded = recordStatements(store);
    service = await fixture.serve(recorded.store, { cacheBytes: 0 });
    explainer = await createExplainer(fixture.url);
    // Reads the ranks, once for each ranking, and the members that are searched.
    await service.get('/leaderboard/ranked?limit=1');
    await service.get('/leaderboard/search?term=a');
    for (const { text } of recorded.executed) excepted.add(text);
  });
  afterAll(async () => {
    await explainer?.close();
    await fixture.close();
  });

  const record = async (path: string, status: number, body?: object) => {
    const before = recorded.executed.length;
    const headers = { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) };
    const init = { headers, ...(body && ({ method: 'POST', body: JSON.stringify(body) } as const)) };
    asked.push({ path, method: init.method });
    expect((await service.get(path, init)).status).toBe(status);
    return recorded.executed.slice(before);
  };

  /** Checks the plans of `statements`, each once. */
  const expectPlans = async (title: string, statements: readonly Statement[]) => {
    for (const statement of statements) {
      if (isUnplanned(engine, title)) excepted.add(statement.text);
      else if (!explained.has(statement.text)) {
        const faults = await explainer.faultsOf(statement);
        expect(
          faults.filter((fault) => !isAllowed(title, fault)),
          statement.text,
        ).toEqual([]);
        explained.add(statement.text);
      }
    }
  };

  it.each(requestsAbout(samples))(
    'are one round trip, and one for each name, and read index ranges only: $title',
    async ({ title, path, status }) => {
      for (const url of [path, `${path}&cache=fresh`]) {
        const statements = await record(url, status);
        expect(statements, url).toHaveLength(countOf(path));
        await expectPlans(title, statements);
      }
    },
  );

  it.each(clientRequestsAbout(samples))(
    'are few and read index ranges only: $title',
    async ({ title, path, status }) => {
      const statements = await record(path, status);
      expect(statements, path).toHaveLength(countOf(path) + Number(isSearch(path) && status === 200));
      await expectPlans(title, statements);
    },
  );

  it('are one round trip and read index ranges only: a slot, and the pictures of an account', async () => {
    const slot = '/slots/8453/0x41aa48ef3c0446b46a5b1cc6337ff3d3716e2a33/0x1/details';
    const statements = await record(slot, 404);
    expect(statements).toHaveLength(1);
    await expectPlans('a slot', statements);
    for (const [path, status, count] of [
      [`/users/${samples.name}/ens/avatar`, 302, 2],
      [`/users/${samples.address}/ens/avatar`, 302, 1],
      [`/users/${samples.name}/qr`, 200, 1],
    ] as const) {
      const picture = await record(path, status);
      expect(picture).toHaveLength(count);
      await expectPlans('a picture', picture);
    }
  });

  it('are one round trip and read index ranges only: a batch of states', async () => {
    const { address, list } = samples;
    const path = `/lists/${list}/buttonStateBatch`;
    const statements = [...(await record(path, 200, addresses(1000))), ...(await record(path, 200, [address]))];
    expect(statements).toHaveLength(2);
    await expectPlans('a batch of states', statements);
  });

  it.each(cursorRequestsAbout(samples))(
    'are one round trip and read index ranges only: the page after $title',
    async ({ title, path }) => {
      const [, next = ''] = /<(\S+)>/.exec((await service.get(path)).headers.get('link') ?? '') ?? [];
      const statements = await record(path.replace(/\?.*/, next), 200);
      expect(statements).toHaveLength(countOf(path));
      await expectPlans(title, statements);
    },
  );

  it.each([
    ['accounts', '/accounts', 1000],
    ['accounts with a viewer', '/accounts?viewer=VIEWER', 1000],
    ['accounts and their edges', '/edges/among', 200],
  ])('are one round trip and read index ranges only: a batch of %s', async (title, path, length) => {
    const body = [samples.address, ...addresses(length - 1)];
    const statements = await record(path.replace('VIEWER', samples.name), 200, body);
    expect(statements).toHaveLength(path.includes('VIEWER') ? 2 : 1);
    await expectPlans(`a batch of ${title}`, statements);
  });

  it('are at most three for each step and read index ranges only: paths, and a batch of steps', async () => {
    const path = `/users/${samples.name}/path`;
    for (const [target, status] of [
      [samples.address, 200],
      [accountsOf(40)[39], 200],
      [addresses(1)[0], 200],
      ['nobody.nowhere.eth', 404],
    ] as const) {
      const statements = await record(`${path}/${target}`, status);
      expect(statements.length).toBeLessThanOrEqual(1 + 3 * 6);
      await expectPlans('a path', statements);
    }
    const others = accountsOf(200);
    const hops = `/users/${samples.address}/hops`;
    await expectPlans('steps', await record(hops, 200, others));
    await expectPlans('steps', await record(`${hops}?accounts=${others.slice(0, 5)}`, 200));
  });

  it('read index ranges only: pages of events', async () => {
    for (const query of ['', '&finality=finalized', `&account=${samples.name}`, `&account=${samples.name}&role=target`])
      await expectPlans('events', await record(`/events?since=0&limit=5${query}`, 200));
    const accounts = accountsOf(5);
    await expectPlans('events', await record('/events?since=0&limit=5', 200, { accounts }));
    await expectPlans('events', await record('/events?since=0&limit=5&role=target', 200, { accounts }));
  });

  it('are recorded for every route', async () => {
    expect(await routesNotAsked(asked)).toEqual([]);
  });

  it('read index ranges only, even those that no request above has run', async () => {
    for (const statement of recorded.executed.filter(({ text }) => !explained.has(text) && !excepted.has(text))) {
      expect(await explainer.faultsOf(statement), statement.text).toEqual([]);
    }
  });

  it.each(['select back from edges order by back limit 10', 'select count(*) from accounts where followers = 1'])(
    'are reported if they scan or sort a table: %s',
    async (text) => expect(await explainer.faultsOf({ text, parameters: 0 })).not.toEqual([]),
  );
});
