import { createHmac } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { numberToHex } from 'viem';
import { afterEach, describe, expect, it } from 'vitest';
import { ServiceFixture, write } from '../http/support.ts';
import type { Item } from '../live/event-client.ts';
import { createRandom } from '../model/random.ts';
import { follow, ownList, slotOf, unfollow } from '../model/small-history.ts';
import { historySeeds } from '../support/effort.ts';
import { anyEngine } from '../support/engines.ts';
import { waitFor } from '../support/wait-for.ts';
import { createFolder, type Received, receive, startRecipe } from './start-recipe.ts';

const KEY = Buffer.from('0123456789abcdefghijklmn');
const accountOf = (number: number) => numberToHex(number, { size: 20 });
const WATCHED = Array.from({ length: 10 }, (_, i) => accountOf(100 + i));
const FOLLOWERS = [1, 2, 3];

/** As a receiver verifies it. Returns the follow as text. */
function verify({ headers, body }: Received): string {
  const [id, timestamp] = [headers['webhook-id'], headers['webhook-timestamp']];
  const signature = createHmac('sha256', KEY).update(`${id}.${timestamp}.${body}`).digest('base64');
  expect(headers['webhook-signature']).toBe(`v1,${signature}`);
  expect(Math.abs(Date.now() / 1000 - Number(timestamp))).toBeLessThan(300);
  const { type, data } = JSON.parse(body);
  expect({ type, id }).toEqual({ type: 'follow', id: `follow_8453_${data.block_hash}_${data.log_index}` });
  return `${id} ${data.account} ${data.target}`;
}

describe.each(anyEngine)('the recipe for a webhook, on $name,', (engine) => {
  const fixture = new ServiceFixture(engine);
  afterEach(() => fixture.close());

  it.each(historySeeds(engine.name, 4))(
    'delivers each new follower at least once, over kills and failures of the receiver (KITH_SEED=%i)',
    async (seed) => {
      const random = createRandom(seed);
      const store = await fixture.open();
      await write(
        store,
        FOLLOWERS.flatMap((i) => ownList(accountOf(i), BigInt(i), slotOf(BigInt(i)))),
      );
      const service = await fixture.serve(store);
      const file = join(await createFolder(), 'position.txt');
      const delivered: string[] = [];
      let kills = 0;
      let failures = 0;
      const receiver = await receive((request, response) => {
        const verified = verify(request);
        const isAccepted = random.chance(0.7);
        if (isAccepted) delivered.push(verified);
        else failures += 1;
        if (random.chance(0.3)) response.destroy();
        else response.writeHead(isAccepted ? 204 : random.pick([404, 429, 500])).end();
        // Before the program knows what became of it, or just after.
        if (random.chance(0.2)) void restart();
      });
      const env = {
        KITH_URL: service.url,
        ACCOUNTS: WATCHED.join(','),
        WEBHOOK_URL: receiver,
        WEBHOOK_SECRET: `whsec_${KEY.toString('base64')}`,
        POSITION_FILE: file,
      };
      let recipe = startRecipe('webhook', env);
      const restart = async () => {
        kills += 1;
        await recipe.kill();
        recipe = startRecipe('webhook', env);
      };

      await waitFor(() => expect(existsSync(file)).toBe(true));
      for (let i = 0; i < 30; i++) {
        const [follower, target] = [random.pick(FOLLOWERS), accountOf(random.pick([100, 104, 109, 200]))];
        await write(store, [random.pick([follow, follow, follow, unfollow])(slotOf(BigInt(follower)), target)]);
      }
      const query = `since=0&type=follow&role=target&account=${WATCHED}&limit=1000`;
      const page = await service.get(`/events?${query}`, { headers: { accept: 'application/json' } });
      const expected = page.json.events.map(
        ({ block_hash, log_index, account, target }: Item) =>
          `follow_8453_${block_hash}_${log_index} ${account} ${target}`,
      );
      expect(expected.length).toBeGreaterThan(10);
      await waitFor(() => expect([...new Set(delivered)].sort()).toEqual(expected.sort()));
      expect(kills).toBeGreaterThan(0);
      expect(failures).toBeGreaterThan(0);
    },
  );
});
