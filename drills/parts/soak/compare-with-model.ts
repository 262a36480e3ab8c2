import { isDeepStrictEqual } from 'node:util';
import { account, details, stats, taggedAs } from '../../../test/model/naive-account.ts';
import { graphStats } from '../../../test/model/naive-discovery.ts';
import { allFollowers, followers, searchFollowers } from '../../../test/model/naive-followers.ts';
import { allFollowing, following } from '../../../test/model/naive-following.ts';
import { ranked } from '../../../test/model/naive-leaderboard.ts';
import type { NaiveModel } from '../../../test/model/naive-model.ts';
import { userSubject } from '../../../test/model/naive-view.ts';
import type { Random } from '../../../test/model/random.ts';
import { createAgent, request } from '../../harness/request.ts';

/** Accounts per comparison. */
const ACCOUNTS = 8;

/** Compares answers about random accounts while no block arrives. */
export async function compareWithModel(port: number, model: NaiveModel, random: Random) {
  const agent = createAgent();
  const wrong: string[] = [];
  let compared = 0;
  const compare = async (path: string, expected: unknown, read = (body: unknown) => body) => {
    const { status, body } = await request(port, `/api/v1${path}`, { agent });
    compared += 1;
    if (status !== 200) wrong.push(`${path}: status ${status}`);
    // Through JSON, because the model has undefined properties.
    else if (!isDeepStrictEqual(read(JSON.parse(body)), JSON.parse(JSON.stringify(expected)))) wrong.push(path);
  };
  const view = model.view();
  const accounts = model.accounts();
  for (let i = 0; i < ACCOUNTS; i++) {
    const address = random.pick(accounts);
    const subject = userSubject(view, address);
    const user = `/users/${address}`;
    const page = { limit: 1 + random.int(30), offset: random.int(3) };
    const sort = random.pick(['latest', 'earliest', 'followers'] as const);
    const query = `?limit=${page.limit}&offset=${page.offset}`;
    await compare(`${user}/account`, account(view, address));
    await compare(`${user}/details`, details(view, subject));
    await compare(`${user}/stats`, stats(view, subject));
    await compare(`${user}/taggedAs`, { address, ...taggedAs(view, address) });
    await compare(`${user}/followers${query}&sort=${sort}`, followers(view, address, { ...page, sort }));
    await compare(`${user}/following${query}&sort=${sort}`, following(view, subject, { ...page, sort }));
    await compare(`${user}/allFollowers${query}`, allFollowers(view, address, page));
    await compare(`${user}/allFollowing${query}`, allFollowing(view, subject, page));
    await compare(`${user}/searchFollowers${query}&term=a`, searchFollowers(view, address, { ...page, term: 'a' }));
    const start = Math.floor(Date.now() / 1000) + 60;
    const notifications = model.notifications(address, { interval: 'all', start, limit: 20 });
    await compare(`${user}/notifications?interval=all&limit=20&start=${start}`, notifications);
  }
  await compare('/stats', graphStats(view));
  // The time of the ranking is not known to the model.
  await compare('/leaderboard/ranked?limit=50', ranked(view, { limit: 50 }), (body) => entriesOf(body));
  agent.destroy();
  return { compared, wrong };
}

function entriesOf(body: unknown): unknown {
  // Safe: the answer of this route.
  const { results } = body as { results: Record<string, unknown>[] };
  return results.map(({ updated_at, ...entry }) => entry);
}
