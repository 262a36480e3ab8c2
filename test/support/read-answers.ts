import type { Store } from '../../src/store/store.ts';
import { startService } from './service.ts';

const LOOKUPS = ['details', 'followers', 'following', 'notifications', 'lists'];

/** The leaderboard, and answers about every account of it. The time of the ranking is left out. */
export async function readAnswers(store: Store): Promise<unknown[]> {
  const service = await startService(store, { now: () => 1_790_000_000_000 });
  try {
    const { results } = (await service.get('/leaderboard/search?limit=100')).json;
    const answers: unknown[] = results.map((entry: object) => ({ ...entry, updated_at: '' }));
    for (const { address, name } of results) {
      for (const lookup of LOOKUPS) answers.push((await service.get(`/users/${address}/${lookup}`)).json);
      const term = encodeURIComponent(name === '' ? address.slice(2, 12) : name);
      const found = (await service.get(`/leaderboard/search?term=${term}`)).json.results;
      answers.push(found.map((entry: { address: string }) => entry.address));
    }
    return answers;
  } finally {
    await service.close();
  }
}
