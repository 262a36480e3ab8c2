import { QueryClient, queryOptions } from '@tanstack/react-query';
import type { StreamEvent } from '../../packages/client/src/client.ts';
import { createClient, KithError } from '../../packages/client/src/client.ts';

// The examples of docs/client.md.
export const kith = createClient({ baseUrl: 'http://127.0.0.1:3000' });

export async function showFollowers(): Promise<string[]> {
  const lines: string[] = [];
  const console = { log: (...words: unknown[]) => lines.push(words.join(' ')) };

  const { followers } = await kith.get('/users/{addressOrENS}/followers', {
    addressOrENS: 'ada.eth',
    limit: 5,
    sort: 'latest',
    include: 'ens',
  });
  for (const { ens, tags, is_following } of followers) console.log(ens?.display, tags, is_following);
  return lines;
}

export async function showStates(): Promise<string[]> {
  const lines: string[] = [];
  const console = { log: (...words: unknown[]) => lines.push(words.join(' ')) };

  const states = await kith.post('/lists/{token_id}/buttonStateBatch', { token_id: '3' }, [
    'juniper.eth',
    'unclaimed.eth',
  ]);
  for (const { address, state } of states) console.log(address, state?.follow);
  return lines;
}

export async function countFollowers(): Promise<number> {
  let followed = 0;
  for await (const { is_following } of kith.entries('/users/{addressOrENS}/followers', { addressOrENS: 'ada.eth' })) {
    if (is_following) followed += 1;
  }
  return followed;
}

export async function watchFollowers(signal: AbortSignal, console: Pick<Console, 'log'>): Promise<void> {
  const filter = { account: 'ada.eth', role: 'target', type: ['follow', 'unfollow'], since: '0' } as const;
  for await (const event of kith.events(filter, { signal })) {
    if (event.type === 'undo') console.log(`events of chain ${event.chain_id} above ${event.block} are void`);
    else console.log(event.name || event.account, event.type, event.time);
  }
}

export async function applyAll(
  stored: string | undefined,
  signal: AbortSignal,
  apply: (event: StreamEvent) => Promise<void>,
  save: (id: string) => Promise<void>,
): Promise<void> {
  for await (const item of kith.events({ lists: 'all', since: stored ?? '0' }, { signal, progress: true })) {
    if (item.type !== 'progress') await apply(item);
    await save(item.id);
  }
}

export async function findAccount(name: string): Promise<string | null> {
  try {
    const { address } = await kith.get('/users/{addressOrENS}/account', { addressOrENS: name });
    return address;
  } catch (error) {
    if (error instanceof KithError && error.code === 'unknown-name') return null;
    throw error;
  }
}

export const followersQuery = (addressOrENS: string) => {
  const path = '/users/{addressOrENS}/followers';
  const params = { addressOrENS, limit: 20, include: 'ens' };
  return queryOptions({
    queryKey: [kith.urlOf(path, params)],
    queryFn: ({ signal }) => kith.get(path, params, { signal }),
  });
};

export const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });
