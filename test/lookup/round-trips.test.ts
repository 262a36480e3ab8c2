import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadDemo } from '../../src/demo/load-demo.ts';
import { DEMO, STAR, Stage } from '../http/support.ts';
import { engines } from '../support/engines.ts';
import type { Service } from '../support/service.ts';
import { questionsAbout } from './questions.ts';
import { type Recorded, recordStatements } from './record-statements.ts';

/** SQLite answers these in its own way, and is no network away: what one statement leaves open is asked for after it. */
const goesOn = (engine: string, title: string) =>
  engine === 'sqlite' &&
  (title.includes('/leaderboard') || /\/followers (?!.*tags=).*(?:sort=earliest|offset=)/.test(title));

describe.each(engines)('a question to $name', (engine) => {
  const stage = new Stage(engine);
  let recorded: Recorded;
  let service: Service;
  beforeAll(async () => {
    const store = await stage.open();
    await loadDemo(store, DEMO, () => undefined);
    recorded = recordStatements(store);
    service = await stage.serve(recorded.store);
    // Ranks are read when they have been made, and then known.
    await service.get('/leaderboard/search?term=anybody');
  });
  afterAll(() => stage.close());

  const questions = questionsAbout(STAR).filter(({ title }) => !goesOn(engine.name, title));

  it.each(questions)('is one statement, fresh or not, where there is no source: $title', async ({ path, status }) => {
    for (const url of [path, `${path}&cache=fresh`]) {
      const before = recorded.asked.length;
      expect((await service.get(url)).status).toBe(status);
      expect(recorded.asked.length - before, url).toBe(1);
    }
  });
});
