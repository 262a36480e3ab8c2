import { afterEach, describe, expect, it } from 'vitest';
import { ServiceFixture } from '../http/support.ts';
import { naiveEvents, passesNaively } from '../model/naive-events.ts';
import { createRandom } from '../model/random.ts';
import { randomHistory } from '../model/random-history.ts';
import { historySeeds } from '../support/effort.ts';
import { engines } from '../support/engines.ts';
import { loadLogs } from '../support/load.ts';
import { openStream } from './event-client.ts';
import { byPlace } from './stored-events.ts';

const ROLES = ['any', 'source', 'target'] as const;

describe.each(engines)('the events of random histories on $name', (engine) => {
  const fixture = new ServiceFixture(engine);
  afterEach(() => fixture.close());

  it.each(historySeeds(engine.name, 8))(
    'are those of a model that shares no code with the service, also by account and role (KITH_SEED=%i)',
    async (seed) => {
      const random = createRandom(seed);
      const logs = randomHistory(seed, { logs: 500 });
      const store = await fixture.open();
      await loadLogs(store, logs);
      const service = await fixture.serve(store);
      const { facts, graph } = naiveEvents(logs);
      const read = async (query: Readonly<Record<string, string>>) => {
        const all = { since: '0', until: 'now', ...query };
        const stream = await openStream(service.url, { query: all, format: random.pick(['sse', 'ndjson']) });
        const events = await stream.untilEnd();
        return events.map(({ id, ...event }) => event).sort(byPlace);
      };
      const all = await read({ lists: 'all' });
      expect({ seed, events: all }).toEqual({ seed, events: facts.map(({ event }) => event) });
      expect(all.length).toBeGreaterThan(300);

      const accounts = facts.flatMap(({ event }) => [event.account, event.target]).filter(Boolean) as string[];
      for (let i = 0; i < 12; i++) {
        const filter = { account: random.pick(accounts), role: random.pick(ROLES), allLists: random.chance(0.5) };
        const { account, role, allLists } = filter;
        const events = await read({ account, role, lists: allLists ? 'all' : 'primary' });
        const expected = facts.filter((fact) => passesNaively(fact, graph, filter)).map(({ event }) => event);
        expect({ seed, filter, events }).toEqual({ seed, filter, events: expected });
      }
    },
  );
});
