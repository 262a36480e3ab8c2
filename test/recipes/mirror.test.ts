import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, describe, expect, it } from 'vitest';
import { ServiceFixture } from '../http/support.ts';
import type { Item } from '../live/event-client.ts';
import { ReorganisedHistory } from '../live/reorganised-history.ts';
import { storedEvents } from '../live/stored-events.ts';
import { createRandom } from '../model/random.ts';
import { historySeeds } from '../support/effort.ts';
import { engines } from '../support/engines.ts';
import type { Service } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { createFolder, startRecipe } from './start-recipe.ts';

interface Graph {
  readonly events: string[];
  readonly follows: string[];
  readonly records: string[];
}

/** The graph as the lookups of the service show it. */
async function readService(service: Service): Promise<Graph> {
  const events = (await storedEvents(service)) as Item[];
  const accounts = new Set<string>(events.map(({ type, target, account }) => (type === 'primary' ? account : target)));

  const follows: string[] = [];
  const records: string[] = [];
  for (const account of accounts) {
    if (account === undefined) continue;
    const { json } = await service.get(`/users/${account}/followers?limit=1000`);
    for (const { address } of json.followers) follows.push(`${address} ${account}`);
    const own = await service.get(`/users/${account}/list-records`);
    for (const { data, tags } of own.status === 404 ? [] : own.json.records) records.push(`${account} ${data} ${tags}`);
  }
  const places = events.map(({ chain_id, block, log_index, type }) => `${chain_id} ${1e6 * block + log_index} ${type}`);
  return { events: places.sort(), follows: follows.sort(), records: records.sort() };
}

/** The service shows so many tags of a record. */
const SHOWN_TAGS = 100;
const FOLLOWS = 'SELECT source, target FROM follows';
const RECORDS = `
  SELECT account, target, (SELECT json_group_array(tag) FROM tags WHERE slot = records.slot AND target = records.target) AS tags
  FROM primary_lists JOIN records USING (slot)`;
const EVENTS = `SELECT chain || ' ' || place || ' ' || type FROM events`;
type Row = Readonly<Record<'source' | 'account' | 'target' | 'tags', string>>;

/** The same from the file of the mirror. */
function readMirror(file: string): Graph {
  const db = new Database(file, { readonly: true });
  try {
    // Safe: these are the columns.
    const follows = (db.prepare(FOLLOWS).all() as Row[]).map(({ source, target }) => `${source} ${target}`);
    const records = (db.prepare(RECORDS).all() as Row[]).map(
      ({ account, target, tags }) => `${account} ${target} ${JSON.parse(tags).sort(byCodePoint).slice(0, SHOWN_TAGS)}`,
    );
    // Safe: it is a text.
    const events = db.prepare(EVENTS).pluck().all() as string[];
    return { events: events.sort(), follows: follows.sort(), records: records.sort() };
  } finally {
    db.close();
  }
}

const byCodePoint = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

describe.each(engines)('the recipe for a mirror, on $name,', (engine) => {
  const fixture = new ServiceFixture(engine);
  afterEach(() => fixture.close());

  it.each(historySeeds(engine.name, 6))(
    'has the graph of the service over random histories with reorgs and kills (KITH_SEED=%i)',
    async (seed) => {
      const random = createRandom(seed);
      const store = await fixture.open();
      const service = await fixture.serve(await fixture.open(), { now: Date.now });
      const file = join(await createFolder(), 'mirror.db');
      const env = { KITH_URL: service.url, MIRROR_FILE: file };
      let mirror = startRecipe('mirror', env);
      const compare = async () => {
        const expected = await readService(service);
        await waitFor(() => expect({ seed, ...readMirror(file) }).toEqual({ seed, ...expected }));
        return expected;
      };
      const history = new ReorganisedHistory(store, seed, random);
      while (await history.advance()) {
        if (random.chance(0.25)) await history.reorganise();
        if (random.chance(0.1)) {
          await compare();
          await history.reorganise();
          await compare();
        }
        if (random.chance(0.05)) {
          await mirror.kill();
          mirror = startRecipe('mirror', env);
        }
      }
      const { follows, records } = await compare();
      expect(follows).not.toEqual([]);
      expect(records.length).toBeGreaterThan(10);
    },
  );
});
