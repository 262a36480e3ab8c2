import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { placeLog, word } from '../model/encode-log.ts';
import {
  ANN,
  ANNS,
  annsList,
  BOB,
  BOBS,
  bobsList,
  CAT,
  follow,
  logsOf,
  ownList,
  START,
  slotOf,
  tag,
  unfollow,
} from '../model/small-history.ts';
import { engines } from '../support/engines.ts';
import { loadLogs, loadProfiles, loadRanks } from '../support/load.ts';
import { parseCsv, readCsv } from '../support/parse-csv.ts';
import type { Service } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { entriesOf, nextOf } from './page-links.ts';
import { expectProblem, NOW, ServiceFixture, STAR, write } from './support.ts';

type Row = Record<string, unknown>;

/** What the CSV of an entry has: objects by column, and arrays and objects by key as JSON. */
function flatten(entry: Row, prefix = ''): Record<string, string> {
  const cells = Object.entries(entry).flatMap(([key, value]) => {
    const isByKey = ['records', 'chains', 'errors'].includes(key);
    if (Array.isArray(value) || isByKey) return [[prefix + key, JSON.stringify(value)]];
    if (typeof value === 'object') return Object.entries(flatten(value as Row, `${prefix}${key}_`));
    return [[prefix + key, String(value)]];
  });
  return Object.fromEntries(cells);
}

const linesOf = (text: string): Row[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));

/** Adds the cells of properties that an entry does not have. */
const withEmpty = (cells: Record<string, string>, columns: readonly string[]) =>
  Object.fromEntries(columns.map((column) => [column, cells[column] ?? '']));

const user = `/users/${STAR.address}`;
const list = `/lists/${STAR.list}`;
const LOOKUPS = [
  ...['', 'sort=earliest', 'sort=followers', 'tags=top8', 'tags=top8,gm&sort=followers', 'include=ens'].flatMap(
    (query) => ['followers', 'following', 'allFollowers', 'allFollowing'].map((path) => `${user}/${path}?${query}`),
  ),
  ...['followers', 'following'].map((path) => `${list}/${path}?`),
  `${user}/mutuals?`,
  ...['', '&opcode=3', '&tag=top8', '&tag=top8&opcode=3'].flatMap((filter) => [
    `${user}/notifications?interval=all${filter}`,
    `${user}/activity?interval=all${filter}`,
  ]),
  `${list}/activity?interval=month`,
  ...['mutuals', 'followers', 'top8'].map((sort) => `/leaderboard/ranked?sort=${sort}`),
  '/leaderboard/ranked?sort=blocks&direction=asc',
  '/leaderboard/all?',
];

describe.each(engines)('the rows of an answer on $name', (engine) => {
  const fixture = new ServiceFixture(engine);
  let service: Service;
  beforeAll(async () => {
    service = await fixture.serveDemo();
  });
  afterAll(() => fixture.close());

  /** The entries of all JSON pages. */
  const pagesOf = async (path: string): Promise<Row[]> => {
    const entries: unknown[] = [];
    for (let next: string | null = `${path}&limit=37`; next !== null; ) {
      const answer = await service.get(next);
      entries.push(...entriesOf(answer));
      next = nextOf(next, answer);
    }
    return entries as Row[];
  };

  it.each(LOOKUPS)('are those of all JSON pages: %s', async (path) => {
    const pages = await pagesOf(path);
    const [ndjson, csv] = [await service.get(`${path}&format=ndjson`), await service.get(`${path}&format=CSV`)];
    expect(linesOf(ndjson.text)).toEqual(pages);
    const [columns = []] = parseCsv(csv.text);
    expect(readCsv(csv.text)).toEqual(pages.map((entry) => withEmpty(flatten(entry), columns)));
    // No property is left out.
    expect(columns).toEqual(
      expect.arrayContaining([...new Set(pages.flatMap((entry) => Object.keys(flatten(entry))))]),
    );
    expect(columns.some((column) => column.startsWith('ens_'))).toBe(path.includes('include=ens'));
    expect(new Set(columns).size).toBe(columns.length);
    expect([csv.headers.get('link'), ndjson.headers.get('link')]).toEqual([null, null]);
  });

  it('are found: the lookups above have some, and more than one page', async () => {
    const counts = await Promise.all(
      LOOKUPS.map(async (path) => linesOf((await service.get(`${path}&format=ndjson`)).text).length),
    );
    expect(Math.min(...counts)).toBeGreaterThan(0);
    expect(counts.filter((count) => count > 37).length).toBeGreaterThan(10);
  });

  it('are a page with limit, offset or cursor, with a link that keeps the format', async () => {
    const path = `${user}/followers?format=csv`;
    const page = await service.get(`${path}&limit=3`);
    const next = nextOf(path, page) ?? '';
    expect(next).toContain('format=csv');
    const rows = [page, await service.get(next)].flatMap(({ text }) => readCsv(text));
    const all = readCsv((await service.get(path)).text);
    expect(rows).toEqual(all.slice(0, 6));
    expect(readCsv((await service.get(`${path}&offset=2`)).text)).toEqual(all.slice(2, 12));
    // A cursor of the JSON goes on in any format.
    const json = await service.get(`${user}/followers?limit=5`);
    const link = nextOf(`${user}/followers`, json) ?? '';
    expect(readCsv((await service.get(`${link}&format=csv`)).text)).toEqual(all.slice(5, 10));
  });

  it('have a type, a file name, and Vary, also of the JSON', async () => {
    const { headers } = await service.get(`/users/${STAR.name}/followers`, { headers: { accept: 'text/csv' } });
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toBe(`attachment; filename="users-${STAR.name}-followers.csv"`);
    expect(headers.get('vary')).toBe('Accept, Accept-Encoding');
    const ndjson = await service.get(`${user}/followers`, { headers: { accept: 'application/x-ndjson' } });
    expect(ndjson.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    const json = await service.get(`${user}/followers`);
    expect(json.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect([json.headers.get('vary'), json.headers.get('content-disposition')]).toEqual([
      'Accept, Accept-Encoding',
      null,
    ]);
    expect((await service.get(`${user}/stats`)).headers.get('vary')).toBe('Accept-Encoding');
    const odd = await service.get('/users/%22a%0d%0a..%2f%f0%9f%8d%8e.eth/followers?format=csv');
    expect(odd.headers.get('content-disposition')).toBe(null);
  });

  it('are cached apart from the JSON of the same URL, and revalidated', async () => {
    const path = `${user}/following`;
    const formats = ['application/json', 'text/csv', 'application/x-ndjson'];
    const ask = (accept: string, headers = {}) => service.get(path, { headers: { accept, ...headers } });
    const first = await Promise.all(formats.map((accept) => ask(accept)));
    const second = await Promise.all(formats.map((accept) => ask(accept)));
    expect(new Set(first.map(({ text }) => text)).size).toBe(3);
    expect(second.map(({ text }) => text)).toEqual(first.map(({ text }) => text));
    expect(second.map(({ headers }) => headers.get('x-cache'))).toEqual(['HIT', 'HIT', 'HIT']);
    expect(second.map(({ headers }) => headers.get('content-type'))).toEqual(
      formats.map((format) => `${format}; charset=utf-8`),
    );
    const etag = second[1]?.headers.get('etag') ?? '';
    const fresh = await Promise.all(formats.map((accept) => ask(accept, { 'if-none-match': etag })));
    expect(fresh.map(({ status }) => status)).toEqual([200, 304, 200]);
    expect(fresh[1]?.headers.get('vary')).toBe('Accept, Accept-Encoding');
    // The parameter wins.
    const chosen = await service.get(`${path}?format=json`, { headers: { accept: 'text/csv' } });
    expect(chosen.json.following).toHaveLength(10);
    // A page of the default size is not the whole.
    const page = await service.get(`${path}?format=csv&limit=10`);
    expect(readCsv(page.text)).toHaveLength(10);
    expect(readCsv((await service.get(`${path}?format=csv`)).text).length).toBeGreaterThan(10);
  });

  it('are refused in another format, by name', async () => {
    for (const format of ['xml', 'csv,json', 'parquet']) {
      const answer = await service.get(`${user}/followers?format=${format}`);
      const detail = expectProblem(answer, { status: 400, code: 'invalid-parameter' });
      expect(detail).toBe(`format must be one of json, csv, ndjson, got "${format}"`);
    }
    const unknown = await service.get('/lists/999999/followers?format=csv');
    expectProblem(unknown, { status: 404, code: 'unknown-list' });
  });

  it('of an account without any are no lines after the header', async () => {
    const path = '/users/0x0000000000000000000000000000000000000001/followers';
    const { text } = await service.get(`${path}?format=csv`);
    expect(text).toMatch(/^svc_list_nft_token_id,efp_list_nft_token_id,address,tags,\S+\r\n$/);
    expect((await service.get(`${path}?format=ndjson`)).text).toBe('');
  });
});

/** What strangers may write: quotes, line breaks, formulas, an apostrophe, another direction, the separator. */
const HOSTILE = [
  '=HYPERLINK("http://evil","x")',
  '+1',
  '-1',
  '@SUM(A1)',
  '\tx',
  '\r=1',
  '＝1',
  "'quoted'",
  'a"b,c;d\r\ne\nf',
  '\u202e<script>',
  '日本 🍎',
];

describe.each(engines)('rows that strangers wrote on $name', (engine) => {
  const fixture = new ServiceFixture(engine);
  let store: Store;
  let service: Service;
  beforeAll(async () => {
    store = await fixture.open();
    const ops = [follow(ANNS, BOB), ...HOSTILE.map((text) => tag(ANNS, BOB, text))];
    await loadLogs(store, logsOf([...annsList, ...bobsList, follow(BOBS, ANN), ...ops]));
    const texts = { avatar: '=cmd|calc!A0', description: '-2+3', header: '@x\r\ny', name: "'" };
    const profile = { address: ANN, ...texts, name: 'ann.eth', display: 'ann.eth', records: texts, chains: {} };
    await loadProfiles(store, [{ ...profile, fresh: 1, resolver: '', errors: {} }]);
    await loadRanks(store, NOW * 1000);
    service = await fixture.serve(store);
  });
  afterAll(() => fixture.close());

  const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
  const cellsOf = (text: string) => parseCsv(text).flat();

  it('are defused: no cell is a formula, and each is as it was without its apostrophe', async () => {
    const path = `/users/${BOB}/notifications?interval=all&limit=1000`;
    const { json } = await service.get(path);
    const { text } = await service.get(`${path}&format=csv`);
    expect(cellsOf(text).filter((cell) => FORMULA.test(cell))).toEqual([]);
    const tags = readCsv(text).map((row) => row.tag);
    expect(tags).toEqual(json.notifications.map((one: { tag: string }) => one.tag));
    expect(tags).toEqual(expect.arrayContaining(['=hyperlink("http://evil","x")', "'quoted'"]));
  });

  it('are JSON in one cell if they are several', async () => {
    const [row] = readCsv((await service.get(`/users/${BOB}/followers?format=csv`)).text);
    const { json } = await service.get(`/users/${BOB}/followers`);
    expect(JSON.parse(row?.tags ?? '')).toEqual(json.followers[0].tags);
    expect(json.followers[0].tags).toHaveLength(HOSTILE.length);
  });

  it('are those of profiles as well', async () => {
    const { text } = await service.get(`/users/${BOB}/followers?format=csv&include=ens`);
    expect(cellsOf(text).filter((cell) => FORMULA.test(cell))).toEqual([]);
    const { json } = await service.get(`/users/${BOB}/followers?include=ens`);
    const [row] = readCsv(text);
    expect(row?.ens_avatar).toBe('=cmd|calc!A0');
    expect(JSON.parse(row?.ens_records ?? '')).toEqual(json.followers[0].ens.records);
    const ndjson = await service.get(`/users/${BOB}/followers?format=ndjson&include=ens`);
    expect(linesOf(ndjson.text)).toEqual(json.followers);
  });
});

const FOLLOWERS = 2_000;
/** Then their rows are more than is held in memory. */
const TAG = 'x'.repeat(250);
const followerOf = (i: number): `0x${string}` => `0x${(i + 1).toString(16).padStart(40, '0')}`;

describe.each(engines)('all rows of a large account on $name', (engine) => {
  const fixture = new ServiceFixture(engine);
  let store: Store;
  let service: Service;
  beforeAll(async () => {
    store = await fixture.open();
    const lists = Array.from({ length: FOLLOWERS }, (_, i) => {
      const slot = slotOf(BigInt(1000 + i));
      return [...ownList(followerOf(i), BigInt(1000 + i), slot), follow(slot, CAT), tag(slot, CAT, TAG)];
    });
    const place = { blockNumber: 1000, blockHash: word(1000n), time: START };
    await loadLogs(
      store,
      lists.flat().map((body, logIndex) => placeLog(body, { ...place, logIndex })),
    );
    service = await fixture.serve(store);
  });
  afterAll(() => fixture.close());

  const path = `/users/${CAT}/followers`;
  const begin = async (url: string): Promise<IncomingMessage> => {
    const [response] = await once(get(`${service.url}/api/v1${url}`, { agent: false }), 'response');
    return response;
  };

  it('are of one state of the graph while blocks arrive', async () => {
    // In each state, one of these two follows.
    const [one, other] = [slotOf(1000n), slotOf(1001n)];
    await write(store, [unfollow(one, CAT)]);
    for (let round = 0; round < 4; round++) {
      const asked = service.get(`${path}?format=ndjson&sort=earliest`);
      await write(store, [unfollow(other, CAT), follow(one, CAT)]);
      await write(store, [unfollow(one, CAT), follow(other, CAT)]);
      const addresses = linesOf((await asked).text).map(({ address }) => address);
      expect(new Set(addresses).size).toBe(FOLLOWERS - 1);
      expect(addresses).toHaveLength(FOLLOWERS - 1);
    }
    await write(store, [follow(one, CAT)]);
    const all = linesOf((await service.get(`${path}?format=ndjson&sort=earliest`)).text);
    const csv = readCsv((await service.get(`${path}?format=csv&sort=earliest`)).text);
    expect(csv.map((row) => row.address)).toEqual(all.map((row) => row.address));
    expect(all).toHaveLength(FOLLOWERS);
  });

  it('have a length, so that a client notices a body that was cut', async () => {
    for (const format of ['csv', 'ndjson']) {
      const { headers, text } = await service.get(`${path}?format=${format}`);
      expect(headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
      expect(headers.has('etag')).toBe(false);
    }
    const response = await begin(`${path}?format=ndjson`);
    const cut = once(response, 'error');
    response.socket.destroy();
    response.resume();
    expect((await cut)[0].message).toBe('aborted');
  });

  it('take no more of a client that hangs up', async () => {
    const response = await begin(`${path}?format=ndjson`);
    response.destroy();
    const request = get(`${service.url}/api/v1${path}?format=csv&include=ens`, { agent: false });
    request.on('error', () => undefined);
    await once(request, 'socket');
    request.destroy();
    await waitFor(async () => {
      const { text } = await fetch(`${service.url}/metrics`).then(async (answer) => ({ text: await answer.text() }));
      expect(text).toMatch(/^kith_spool_bytes(\{[^}]*\})? 0$/m);
    });
    expect((await service.get(`${path}?format=csv&limit=1`)).status).toBe(200);
  });
});
