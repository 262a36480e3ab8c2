import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SETTINGS } from '../../src/config/settings.ts';
import { loadDemo } from '../../src/demo/load-demo.ts';
import type { Store } from '../../src/store/store.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { type Service, startService } from '../support/service.ts';

const readme = readFileSync(fileURLToPath(new URL('../../README.md', import.meta.url)), 'utf8');

/** Each request of the README with the answer shown below it. */
const EXAMPLE = /```sh\n((?:curl [^\n]*\n)+)```\n\n```json\n(.*?)```/gs;
const examples = [...readme.matchAll(EXAMPLE)].flatMap(([, commands = '', answer = '']) =>
  [...commands.matchAll(/\/api\/v1(\/[^"\s]*)/g)].map(([, path = '']) => ({ path, answer: JSON.parse(answer) })),
);

describe('the README', () => {
  let database: TestDatabase;
  let store: Store;
  let service: Service;

  beforeAll(async () => {
    const [sqlite] = engines;
    if (sqlite === undefined) throw new Error('there is no engine');
    database = await sqlite.create();
    store = await database.open();
    await loadDemo(store, { accounts: 1000, seed: 1, now: Math.floor(Date.now() / 1000) }, () => undefined);
    service = await startService(store);
  });
  afterAll(async () => {
    await service.close();
    await store.close();
    await database.drop();
  });

  it('shows a request for each of the seven endpoints', () => {
    const endpoints = examples.map(({ path }) => path.replace(/\?.*/, '').replace(/(?<=^\/(lists|users)\/)[^/]+/, ':'));
    expect([...new Set(endpoints)].sort()).toEqual([
      '/leaderboard/search',
      '/lists/:/badges',
      '/lists/:/details',
      '/lists/:/followers',
      '/users/:/badges',
      '/users/:/followers',
      '/users/:/notifications',
    ]);
  });

  it.each(examples)('shows for $path what the demo graph answers, times aside', async ({ path, answer }) => {
    const { json } = await service.get(path);
    expect(withoutTimes(json)).toEqual(withoutTimes(answer));
  });

  it.each(SETTINGS.map(({ name }) => name))('tells of the setting %s', (name) => {
    expect(readme).toContain(`\`${name}\``);
  });
});

/** The demo's history ends when it is made, so its times are the reader's own. */
function withoutTimes(json: unknown): unknown {
  return JSON.parse(JSON.stringify(json), (key, value) =>
    ['updated_at', 'last_updated', 'fresh'].includes(key) ? typeof value : value,
  );
}
