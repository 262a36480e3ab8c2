import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoSamples } from '../../src/demo/demo-samples.ts';
import { loadDemo } from '../../src/demo/load-demo.ts';
import { NOW, Stage } from '../http/support.ts';
import { engines } from '../support/engines.ts';
import type { Service } from '../support/service.ts';
import { createExplainer, type Explainer } from './explain.ts';
import { questionsAbout } from './questions.ts';
import { type Recorded, recordStatements } from './record-statements.ts';

/** Enough for reading a whole table to be a bad plan. */
const DEMO = { accounts: 3000, seed: 1, now: NOW };

/** Questions whose statements do more than read ranges of indexes, and why they may. */
const EXCEPTIONS: Readonly<Record<string, RegExp>> = {
  'more tags than are merged, which hardly anybody asks for': /tags=\w+(,\w+){8}/,
  'the board is walked from its best until the page is full': /^\/leaderboard\/search( term=[0-9a-f]{1,2})?$/,
};
const isExcepted = (title: string) => Object.values(EXCEPTIONS).some((pattern) => pattern.test(title));

describe.each(engines)('each lookup on $name', (engine) => {
  const stage = new Stage(engine);
  let recorded: Recorded;
  let service: Service;
  let explainer: Explainer;
  beforeAll(async () => {
    const store = await stage.open();
    await loadDemo(store, DEMO, () => undefined);
    recorded = recordStatements(store);
    service = await stage.serve(recorded.store);
    explainer = await createExplainer(stage.url);
    // Where those end whom SQLite keeps in memory is found when ranks have been made, and then known.
    await service.get('/leaderboard/search?term=anybody');
  });
  afterAll(async () => {
    await explainer?.close();
    await stage.close();
  });

  const questions = questionsAbout(demoSamples(DEMO)).filter(({ title }) => !/unknown|offset/.test(title));

  it.each(questions.filter(({ title }) => !isExcepted(title)))('reads index ranges only: $title', async ({ path }) => {
    const before = recorded.asked.length;
    await service.get(path);
    const asked = recorded.asked.slice(before);
    expect(asked).not.toEqual([]);
    for (const statement of asked) expect(await explainer.faultsOf(statement), statement.text).toEqual([]);
  });

  it('reads index ranges only in statements that are put seldom', async () => {
    for (const { path } of questions) await service.get(path);
    const asked = new Set(recorded.asked.map(({ text }) => text));
    for (const statement of recorded.prepared.filter(({ text }) => !asked.has(text))) {
      expect(await explainer.faultsOf(statement), statement.text).toEqual([]);
    }
  });

  it.each(['select entry from followers order by entry limit 10', 'select count(*) from accounts where followers = 1'])(
    'would be found out if it did more: %s',
    async (text) => expect(await explainer.faultsOf({ text, parameters: 0 })).not.toEqual([]),
  );
});
