import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadDemo } from '../../src/demo/load-demo.ts';
import { demoSamples } from '../demo/demo-samples.ts';
import { NOW, Stage } from '../http/support.ts';
import { engines } from '../support/engines.ts';
import type { Service } from '../support/service.ts';
import { createExplainer, type Explainer } from './explain.ts';
import { type Recorded, recordStatements } from './record-statements.ts';
import { requestsAbout } from './requests.ts';

/** Large enough for a full table scan to be a bad plan. */
const DEMO = { accounts: 3000, seed: 1, now: NOW };

/** Requests whose statements may do more than read index ranges. */
const UNPLANNED: Readonly<Record<string, RegExp>> = {
  'more tags than are merged: a rare request': /tags=\w+(,\w+){8}/,
  'the leaderboard is scanned until the page is full': /^\/leaderboard\/search( term=[0-9a-f]{1,2})?$/,
  'a deep page of a search is read in full': /^\/leaderboard\/search .*offset=/,
};
const isUnplanned = (title: string) => Object.values(UNPLANNED).some((pattern) => pattern.test(title));

/** On SQLite a statement is no round trip, so that searches and deep offsets take several. */
const takesSeveral = (engine: string, title: string) =>
  engine === 'sqlite' && (title.includes('/leaderboard') || /\/followers (?!.*tags=).*offset=/.test(title));

describe.each(engines)('the statements of a request on $name', (engine) => {
  const stage = new Stage(engine);
  const explained = new Set<string>();
  const excepted = new Set<string>();
  let recorded: Recorded;
  let service: Service;
  let explainer: Explainer;
  beforeAll(async () => {
    const store = await stage.open();
    await loadDemo(store, DEMO, () => undefined);
    recorded = recordStatements(store);
    service = await stage.serve(recorded.store);
    explainer = await createExplainer(stage.url);
    // Reads the ranks and, on SQLite, the end of the cached members, once for each ranking.
    await service.get('/leaderboard/search?term=first-search');
    for (const { text } of recorded.executed) excepted.add(text);
  });
  afterAll(async () => {
    await explainer?.close();
    await stage.close();
  });

  const record = async (path: string, status: number) => {
    const before = recorded.executed.length;
    expect((await service.get(path)).status).toBe(status);
    return recorded.executed.slice(before);
  };

  it.each(requestsAbout(demoSamples(DEMO)))(
    'are one round trip and read index ranges only: $title',
    async ({ title, path, status }) => {
      for (const url of [path, `${path}&cache=fresh`]) {
        const statements = await record(url, status);
        if (!takesSeveral(engine.name, title)) expect(statements, url).toHaveLength(1);
        // Later requests may be served from the cached members of the leaderboard.
        else if (url === path) expect(statements, url).not.toEqual([]);
        for (const statement of statements) {
          if (isUnplanned(title)) excepted.add(statement.text);
          else if (!explained.has(statement.text)) {
            expect(await explainer.faultsOf(statement), statement.text).toEqual([]);
            explained.add(statement.text);
          }
        }
      }
    },
  );

  it('read index ranges only, even those that no request above has run', async () => {
    for (const statement of recorded.prepared.filter(({ text }) => !explained.has(text) && !excepted.has(text))) {
      expect(await explainer.faultsOf(statement), statement.text).toEqual([]);
    }
  });

  it.each(['select entry from followers order by entry limit 10', 'select count(*) from accounts where followers = 1'])(
    'are reported if they scan or sort a table: %s',
    async (text) => expect(await explainer.faultsOf({ text, parameters: 0 })).not.toEqual([]),
  );
});
