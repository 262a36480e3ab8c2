import type {
  Answer,
  Entry,
  GetPath,
  KithClient,
  KithError,
  PagedPath,
  Params,
  Schemas,
  StreamEvent,
  UndoEvent,
} from '../../packages/client/src/client.ts';

type Same<A, B> = [A, B] extends [B, A] ? true : false;
const assert = <T extends true>(holds: T): T => holds;

/** Compiled by a test, not executed. */
export async function typedCalls(
  kith: KithClient,
  error: KithError,
  anyPath: GetPath,
  signal: AbortSignal,
): Promise<void> {
  const followers = '/users/{addressOrENS}/followers';

  // Parameters of the path and of the query in one object, or none, and options.
  await kith.get(followers, { addressOrENS: 'ada.eth', limit: 5, sort: 'earliest', tags: 'top8' }, { signal });
  await kith.get(followers, { addressOrENS: 'ada.eth', sort: undefined });
  await kith.get('/stats');
  await kith.get('/stats', { cache: 'fresh' });
  await kith.get('/leaderboard/ranked', { sort: 'top8', direction: 'asc' }, {});
  kith.urlOf('/users/{addressOrENS}/qr', { addressOrENS: 'ada.eth' });
  kith.urlOf('/users/{addressOrENS}/commonFollowers', { addressOrENS: 'ada.eth', leader: 'bob.eth' });

  // @ts-expect-error: a parameter of the path is missing
  await kith.get(followers, { limit: 5 });
  // @ts-expect-error: all parameters are missing
  await kith.get(followers);
  // @ts-expect-error: a parameter of the path is undefined
  await kith.get(followers, { addressOrENS: undefined });
  // @ts-expect-error: a required parameter of the query is missing
  await kith.get('/users/{addressOrENS}/relationships', { addressOrENS: 'ada.eth', tag: 'top8' });
  // @ts-expect-error: the lookup has no such parameter
  await kith.get(followers, { addressOrENS: 'ada.eth', term: 'a' });
  // @ts-expect-error: not a word of the parameter
  await kith.get(followers, { addressOrENS: 'ada.eth', sort: 'newest' });
  // @ts-expect-error: not a number
  await kith.get(followers, { addressOrENS: 'ada.eth', limit: '5' });
  // @ts-expect-error: no such path
  await kith.get('/users/{addressOrENS}/friends', { addressOrENS: 'ada.eth' });
  // @ts-expect-error: the path is relative to /api/v1
  await kith.get('/api/v1/stats');
  // @ts-expect-error: the batch is a POST
  await kith.get('/lists/{token_id}/buttonStateBatch', { token_id: '3' });
  // @ts-expect-error: a picture
  await kith.get('/users/{addressOrENS}/qr', { addressOrENS: 'ada.eth' });
  // @ts-expect-error: for probes and scrapes only
  await kith.get('/metrics');

  // Answers and entries have the types of the OpenAPI document.
  assert<Same<Answer<typeof followers>, Schemas['Followers']>>(true);
  assert<Same<Answer<'/status'>, Schemas['Status']>>(true);
  assert<Same<Answer<'/lists/{token_id}/allFollowingAddresses'>, string[]>>(true);
  assert<Same<Entry<'/users/{addressOrENS}/notifications'>, Schemas['Notification']>>(true);
  assert<Same<Entry<'/leaderboard/mutes'>, Schemas['MutesRow']>>(true);
  assert<Same<Entry<'/leaderboard/search'>, Schemas['LeaderboardEntry']>>(true);
  assert<Same<Schemas['Notification']['action'], 'follow' | 'unfollow' | 'tag' | 'untag'>>(true);
  assert<Same<Schemas['BadgeEntry']['collection'], Schemas['Collection'] | null>>(true);
  assert<Same<Schemas['Follower']['ens'], Schemas['Ens'] | undefined>>(true);
  assert<
    Same<keyof Params<'/lists/{token_id}/{addressOrENS}/buttonState'>, 'token_id' | 'addressOrENS' | 'cache' | 'after'>
  >(true);
  const { followers: page } = await kith.get(followers, { addressOrENS: 'ada.eth' });
  // @ts-expect-error: no field of a follower
  page[0]?.name;

  // Iterators.
  for await (const { top8, header } of kith.entries('/leaderboard/ranked'))
    assert<Same<typeof top8, typeof header>>(true);
  kith.entries(followers, { addressOrENS: 'ada.eth', limit: 50, offset: 10 }, { signal });
  // @ts-expect-error: the lookup has no pages
  kith.entries('/exportState/{token_id}', { token_id: '3' });
  // @ts-expect-error: a parameter of the path is missing
  kith.entries(followers, { limit: 50 });
  assert<Same<Extract<PagedPath, '/stats' | '/status' | '/discover'>, '/discover'>>(true);

  // The batch.
  const names: readonly string[] = ['ada.eth'];
  const states = await kith.post('/lists/{token_id}/buttonStateBatch', { token_id: '3' }, names, { signal });
  assert<Same<typeof states, Schemas['BatchState'][]>>(true);
  // A path with both methods: one has the accounts in its query, the other in its body.
  await kith.get('/users/{addressOrENS}/hops', { addressOrENS: 'ada.eth', accounts: 'bob.eth,eve.eth' });
  await kith.post('/users/{addressOrENS}/hops', { addressOrENS: 'ada.eth', after: '8453:20180411' }, names);
  // @ts-expect-error: the accounts are missing
  await kith.get('/users/{addressOrENS}/hops', { addressOrENS: 'ada.eth' });
  // @ts-expect-error: entries are strings or null
  await kith.post('/lists/{token_id}/buttonStateBatch', { token_id: '3' }, [1]);
  // @ts-expect-error: a GET
  await kith.post('/stats', {}, []);

  // Events have the type of the log, or are an undo; progress has to be asked for.
  for await (const event of kith.events({ account: names, type: ['tag', 'follow'], since: '0' }, { signal })) {
    assert<Same<typeof event, StreamEvent>>(true);
    if (event.type === 'undo') assert<Same<typeof event, UndoEvent>>(true);
    else if (event.type === 'follow') assert<Same<typeof event.target, string>>(true);
    // @ts-expect-error: not every event has a tag
    event.tag;
    // @ts-expect-error: no progress
    if (event.type === 'progress') return;
  }
  for await (const item of kith.events({}, { progress: true })) if (item.type === 'progress') item.id;
  kith.events();
  // @ts-expect-error: no such type
  kith.events({ type: ['follow', 'like'] });
  // @ts-expect-error: pages have a limit
  kith.events({ limit: 5 });
  const { events } = await kith.get('/events', { since: '0', limit: 5 });
  assert<Same<(typeof events)[number], StreamEvent>>(true);

  // Errors have the codes of the service and of the client.
  if (error.code === 'unknown-name' || error.code === 'network')
    assert<Same<typeof error.retryAfter, number | null>>(true);
  // @ts-expect-error: no such code
  if (error.code === 'not-found') return;

  // A path that is not known beforehand, with parameters for any of them.
  const params: Params<GetPath> = {
    addressOrENS: 'ada.eth',
    addressOrENS2: 'bob.eth',
    token_id: '3',
    leader: 'bob.eth',
  };
  await kith.get(anyPath, params);
}
