import { afterEach, describe, expect, it } from 'vitest';
import { ServiceFixture } from '../http/support.ts';
import { createRandom } from '../model/random.ts';
import { randomHistory } from '../model/random-history.ts';
import { historySeeds } from '../support/effort.ts';
import { engines } from '../support/engines.ts';
import { loadLogs } from '../support/load.ts';
import { waitFor } from '../support/wait-for.ts';
import { Mirror } from './mirror.ts';
import { storedEvents } from './stored-events.ts';

const FORMATS = ['sse', 'ndjson'] as const;

describe('event streams of services with the same logs on different engines', () => {
  const fixtures = engines.map((engine) => new ServiceFixture(engine));
  afterEach(async () => {
    for (const fixture of fixtures) await fixture.close();
  });

  it.each(historySeeds('sqlite', 6))(
    'resume on the other engine with what is missing, and nothing else (KITH_SEED=%i)',
    async (seed) => {
      const random = createRandom(seed);
      const stores = await Promise.all(fixtures.map((fixture) => fixture.open()));
      const services = await Promise.all(stores.map((store, i) => fixtures[i]?.serve(store)));
      const urls = services.map((service) => service?.url ?? '');
      const history = randomHistory(seed, { logs: 400 });
      const blocks = [...Map.groupBy(history, ({ chainId, blockNumber }) => `${chainId} ${blockNumber}`).values()];
      const mirrors = Array.from({ length: 4 }, () => new Mirror());
      let turn = 0;
      try {
        for (let from = 0; from < blocks.length; ) {
          const logs = blocks.slice(from, (from += 10 + random.int(20))).flat();
          for (const store of stores) await loadLogs(store, logs);
          for (const [i, mirror] of mirrors.entries()) {
            const before = mirror.events().length;
            await mirror.connect(urls[(turn + i) % urls.length] ?? '', random.pick(FORMATS));
            // Anywhere in what it has missed, or before any of it.
            if (random.chance(0.7)) await waitFor(() => expect(mirror.events().length).toBeGreaterThan(before));
            mirror.hangUp();
          }
          turn += 1;
        }
        for (const service of services) {
          if (service === undefined) throw new Error('an engine has no service');
          const expected = await storedEvents(service);
          expect(expected.length).toBeGreaterThan(250);
          for (const mirror of mirrors) {
            await mirror.connect(service.url, 'sse');
            await waitFor(() => expect({ seed, events: mirror.events() }).toEqual({ seed, events: expected }));
            expect({ seed, repeated: mirror.repeated, undone: mirror.undone }).toEqual({
              seed,
              repeated: 0,
              undone: 0,
            });
          }
        }
      } finally {
        for (const mirror of mirrors) mirror.hangUp();
      }
    },
  );
});
