import { expect } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { ZERO_ADDRESS } from '../model/mainnet.ts';
import { account, accountOfList, details, ens, listsOf, stats, taggedAs, tags } from '../model/naive-account.ts';
import { accounts as accountsBatch, edgesAmong, listFacts } from '../model/naive-batches.ts';
import { commonFollowers, recommended, recommendedDetails } from '../model/naive-discovery.ts';
import { allFollowers, followers, mutuals, relationships, searchFollowers } from '../model/naive-followers.ts';
import {
  allFollowing,
  allFollowingAddresses,
  exportState,
  following,
  listRecords,
  searchFollowing,
} from '../model/naive-following.ts';
import { history } from '../model/naive-history.ts';
import { simpleProfile } from '../model/naive-lists.ts';
import type { NaiveModel } from '../model/naive-model.ts';
import { activity } from '../model/naive-ops.ts';
import { hops, path as pathOf } from '../model/naive-paths.ts';
import { buttonState, buttonStateBatch, followerState, relationship } from '../model/naive-states.ts';
import { listSubject, type NaiveSubject, type NaiveView, primaryListOf, userSubject } from '../model/naive-view.ts';
import type { Random } from '../model/random.ts';
import { isDeep } from '../support/effort.ts';
import { compareGraphLookups } from './compare-graph-lookups.ts';
import {
  randomBatch,
  randomHistory,
  randomOps,
  randomPage,
  randomSearch,
  randomSlice,
  randomSpelling,
  textOf,
} from './random-queries.ts';
import { type Compared, type ExpectAnswer, type Get, withService } from './with-service.ts';

export interface Comparison extends Compared {
  readonly rankedAt: number;
  /** Draws the queries, so that no two comparisons of a test ask the same. */
  readonly random: Random;
  /** The share of the pairs of accounts to ask for. */
  readonly pairs: number;
}

/** What each part of the comparison needs. */
interface Setup {
  readonly get: Get;
  readonly expectAnswer: ExpectAnswer;
  readonly view: NaiveView;
  readonly random: Random;
  readonly accounts: readonly string[];
  readonly pairs: number;
}

/** Random queries per paged route and subject. */
const QUERIES = isDeep ? 10 : 1;

/** Compares the responses of the lookups beyond the seven endpoints, over HTTP, with those of the model. */
export function compareClientLookups(
  store: Store,
  model: NaiveModel,
  { rankedAt, random, pairs, ...compared }: Comparison,
): Promise<void> {
  return withService(store, compared, async (get, expectAnswer) => {
    const [view, accounts] = [model.view(), model.accounts()];
    const setup = { get, expectAnswer, view, random, accounts, pairs };
    for (const address of accounts) await compareUser(setup, address);
    await compareUnknownName(setup);
    for (const list of [...model.lists(), '999999999']) {
      const subject = listSubject(view, list);
      if (subject !== null) await compareList(setup, list, subject);
      else await compareMissingList(setup, list);
    }
    await compareGraphLookups(get, expectAnswer, view, rankedAt);
  });
}

const SUBJECT_PATHS = [
  ...['account', 'details', 'stats', 'tags', 'taggedAs', 'recommended', 'recommended/details', 'activity'],
  ...['following', 'allFollowing', 'searchFollowing?term=a'],
  ...['allFollowers', 'latestFollowers', 'searchFollowers?term=a'],
  ...[`${ZERO_ADDRESS}/followerState`, `${ZERO_ADDRESS}/buttonState`],
];
const USER_PATHS = [
  ...['ens', 'ens/avatar', 'primary-list', 'lists', 'simple-profile', 'qr'],
  ...['commonFollowers', `commonFollowers?leader=${ZERO_ADDRESS}`, `${ZERO_ADDRESS}/relationship`],
  ...['mutuals', 'allFollowingAddresses', 'list-records', 'history', `path/${ZERO_ADDRESS}`],
  `hops?accounts=${ZERO_ADDRESS}`,
  ...['relationships?tag=top8&direction=in', 'relationships?tag=top8&direction=out'],
  ...SUBJECT_PATHS,
];
const PAIR_PATHS = [
  'nobody.eth/relationship',
  'nobody.eth/followerState',
  'nobody.eth/buttonState',
  'commonFollowers?leader=nobody.eth',
  'path/nobody.eth',
];

async function compareUser(setup: Setup, address: string): Promise<void> {
  const { expectAnswer, view, random, accounts, pairs } = setup;
  const subject = userSubject(view, address);
  const base = () => `/users/${randomSpelling(random, view, address)}`;
  await expectAnswer(`${base()}/account`, account(view, address));
  await expectAnswer(`${base()}/details`, details(view, subject));
  await expectAnswer(`${base()}/ens`, ens(view, address));
  await expectAnswer(`${base()}/primary-list`, { primary_list: primaryListOf(view, address) });
  await expectAnswer(`${base()}/lists`, listsOf(view, address));
  await expectAnswer(`${base()}/tags`, { address, ...tags(view, subject) });
  await expectAnswer(`${base()}/taggedAs`, { address, ...taggedAs(view, address) });
  await expectAnswer(`${base()}/simple-profile`, simpleProfile(view, subject));
  await expectAnswer(`${base()}/allFollowingAddresses`, allFollowingAddresses(view, subject));
  await expectAnswer(`${base()}/list-records`, listRecords(view, subject, { withTags: true }));
  for (let i = 0; i < QUERIES; i++) {
    const { text, query } = randomPage(random);
    await expectAnswer(`${base()}/mutuals${text}`, mutuals(view, address, query));
    await compareRelationships(setup, base(), address);
  }
  await compareSubject(setup, base, subject, { excludeHidden: false });
  await compareActivity(setup, base(), subject, primaryListOf(view, address));
  const asked = randomHistory(random);
  await expectAnswer(`${base()}/history${asked.text}`, history(view, address, asked.query));
  await expectAnswer(`${base()}/path/${address}`, pathOf(view, address, address));
  const batch = randomBatch(random, view, accounts);
  const viewer = randomSpelling(random, view, address);
  await expectAnswer(`/accounts?viewer=${viewer}`, accountsBatch(view, batch, address), post(batch));
  await expectAnswer('/accounts', accountsBatch(view, batch, null), post(batch));
  await expectAnswer('/edges/among', edgesAmong(view, batch), post(batch));
  await expectAnswer(`${base()}/hops`, hops(view, address, batch), post(batch));
  const texts = batch.map((text) => text ?? '');
  const few = `hops?accounts=${encodeURIComponent(texts.join(','))}`;
  await expectAnswer(`${base()}/${few}`, hops(view, address, texts));
  for (const other of accounts.filter(() => random.chance(pairs))) {
    const path = `${base()}/${randomSpelling(random, view, other)}`;
    await expectAnswer(`${path}/followerState`, {
      addressUser: address,
      addressFollower: other,
      state: followerState(view, address, other),
    });
    await expectAnswer(`${path}/relationship`, relationship(view, address, other));
    const target = randomSpelling(random, view, other);
    await expectAnswer(`${base()}/path/${target}`, pathOf(view, address, other));
    const token_id = primaryListOf(view, address);
    await expectAnswer(`${path}/buttonState`, { token_id, address: other, state: buttonState(view, subject, other) });
    const { text, query } = randomSlice(random);
    const leader = `${text === '' ? '?' : `${text}&`}leader=${randomSpelling(random, view, other)}`;
    await expectAnswer(`${base()}/commonFollowers${leader}`, commonFollowers(view, address, other, query));
  }
  await expectAnswer(`${base()}/commonFollowers`, commonFollowers(view, address, address));
}

async function compareActivity(
  { get, expectAnswer, view, random }: Setup,
  base: string,
  subject: NaiveSubject,
  list: string,
): Promise<void> {
  const { text, query } = randomOps(random);
  await expectAnswer(`${base}/activity${text}`, activity(view, subject, list, query));
  const { opcode, interval, start, tag } = query;
  const { headers } = await get(`${base}/activity${textOf({ opcode, interval, start, tag, limit: 2 })}`);
  const [, next] = /<(.*)>/.exec(headers.get('link') ?? '') ?? [];
  const second = activity(view, subject, list, { ...query, limit: 2, offset: 2 });
  if (next !== undefined) await expectAnswer(`${base}/activity${next}`, { ...second, summary: expect.anything() });
  else expect(second.activity).toEqual([]);
}

async function compareRelationships(
  { expectAnswer, view, random }: Setup,
  base: string,
  address: string,
): Promise<void> {
  const { text, query } = randomSlice(random);
  const tag = random.pick(['top8', 'block', 'mute', 'friend', 'nobody-has-this']);
  const [word, direction] = random.pick([
    ['in', 'incoming'],
    ['OUT', 'outgoing'],
    ['incoming', 'incoming'],
    ['Outgoing', 'outgoing'],
  ] as const);
  const path = `${base}/relationships${text === '' ? '?' : `${text}&`}tag=%20${tag.toUpperCase()}&direction=${word}`;
  await expectAnswer(path, relationships(view, address, { ...query, tag, direction }));
}

async function compareList(setup: Setup, list: string, subject: NaiveSubject): Promise<void> {
  const { expectAnswer, view, random, accounts, pairs } = setup;
  const base = () => `/lists/${list}`;
  const minting = { minted_at: expect.any(String), minted_to: expect.stringMatching(/^0x/) };
  const storage_location = subject.slot === null ? null : expect.objectContaining({ slot: expect.any(String) });
  await expectAnswer(`/lists/${list}`, { ...listFacts(view, list), ...minting, storage_location });
  await expectAnswer(`/lists/${list}/account`, accountOfList(view, list, subject));
  await expectAnswer(`/lists/${list}/details`, details(view, subject));
  await expectAnswer(`/lists/${list}/tags`, { token_id: list, ...tags(view, subject) });
  await expectAnswer(`/lists/${list}/taggedAs`, { token_id: list, ...taggedAs(view, subject.account) });
  await expectAnswer(`/lists/${list}/allFollowingAddresses`, allFollowingAddresses(view, subject));
  await expectAnswer(`/exportState/${list}`, exportState(view, subject));
  for (const [text, withTags] of [
    ['', true],
    ['?includeTags=true', true],
    ['?includeTags=false', false],
  ] as const) {
    await expectAnswer(`/lists/${list}/records${text}`, listRecords(view, subject, { withTags }));
  }
  await compareSubject(setup, base, subject, { excludeHidden: true });
  await compareActivity(setup, base(), subject, list);
  for (const other of accounts.filter(() => random.chance(pairs))) {
    const path = `/lists/${list}/${randomSpelling(random, view, other)}`;
    const answer = { token_id: list, address: other };
    await expectAnswer(`${path}/followerState`, { ...answer, state: followerState(view, subject.account, other) });
    await expectAnswer(`${path}/buttonState`, { ...answer, state: buttonState(view, subject, other) });
  }
  for (const batch of [randomBatch(random, view, accounts), []]) {
    const expected = buttonStateBatch(view, list, subject, batch);
    await expectAnswer(`/lists/${list}/buttonStateBatch`, expected, post(batch));
  }
}

/** The routes that users and lists share. */
async function compareSubject(
  setup: Setup,
  base: () => string,
  subject: NaiveSubject,
  { excludeHidden }: { excludeHidden: boolean },
): Promise<void> {
  const { get, expectAnswer, view, random, accounts } = setup;
  const address = subject.account;
  await expectAnswer(`${base()}/stats${random.pick(['', '?live=true'])}`, stats(view, subject));
  for (let i = 0; i < QUERIES; i++) {
    const pages = [
      ['following', (query) => following(view, subject, query)],
      ['allFollowing', (query) => allFollowing(view, subject, query)],
      ['followers', (query) => followers(view, address, { ...query, excludeHidden })],
      ['allFollowers', (query) => allFollowers(view, address, query)],
    ] as const satisfies Answers<ReturnType<typeof randomPage>['query']>;
    for (const [path, answer] of pages) {
      const { text, query } = randomPage(random);
      await expectAnswer(`${base()}/${path}${text}`, answer(query));
      const { tags, sort } = query;
      const first = `${base()}/${path}`;
      const { headers } = await get(`${first}${textOf({ tags, sort, limit: 2 })}`);
      const [, next] = /<(.*)>/.exec(headers.get('link') ?? '') ?? [];
      const second = answer({ ...query, include: undefined, limit: 2, offset: 2 });
      if (next !== undefined) await expectAnswer(`${first}${next}`, second);
      else expect(Object.values(second)).toEqual([[]]);
    }
    const searches = [
      ['searchFollowing', (query) => searchFollowing(view, subject, query)],
      ['searchFollowers', (query) => searchFollowers(view, address, { ...query, excludeHidden })],
    ] as const satisfies Answers<ReturnType<typeof randomSearch>['query']>;
    for (const [path, answer] of searches) {
      const { text, query } = randomSearch(random, accounts);
      await expectAnswer(`${base()}/${path}${text}`, answer(query));
    }
  }
  const slices = [
    ['latestFollowers', (query) => followers(view, address, query)],
    ['recommended', (query) => recommended(view, address, query)],
    ['recommended/details', (query) => recommendedDetails(view, address, query)],
  ] as const satisfies Answers<ReturnType<typeof randomSlice>['query']>;
  for (const [path, answer] of slices) {
    const { text, query } = randomSlice(random);
    await expectAnswer(`${base()}/${path}${text}`, answer(query));
  }
}

type Answers<Query> = readonly (readonly [path: string, answer: (query: Query) => unknown])[];

async function compareUnknownName({ get }: Setup): Promise<void> {
  for (const path of USER_PATHS) await expectNotFound(get, 'names-not-resolved', `/users/nobody.eth/${path}`);
  for (const path of PAIR_PATHS) await expectNotFound(get, 'names-not-resolved', `/users/${ZERO_ADDRESS}/${path}`);
}

async function compareMissingList({ get }: Setup, list: string): Promise<void> {
  for (const path of SUBJECT_PATHS) await expectNotFound(get, 'unknown-list', `/lists/${list}/${path}`);
  await expectNotFound(get, 'unknown-list', `/lists/${list}/allFollowingAddresses`);
  await expectNotFound(get, 'unknown-list', `/exportState/${list}`);
  await expectNotFound(get, 'unknown-list', `/lists/${list}`);
  await expectNotFound(get, 'unknown-list', `/lists/${list}/records`);
  await expectNotFound(get, 'unknown-list', `/lists/${list}/buttonStateBatch`, post([null, ZERO_ADDRESS]));
}

async function expectNotFound(get: Get, code: string, path: string, init?: Parameters<Get>[1]): Promise<void> {
  const { status, json } = await get(path, init);
  expect({ path, status, code: json.code }).toEqual({ path, status: 404, code });
}

function post(entries: readonly (string | null)[]) {
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(entries) } as const;
}
