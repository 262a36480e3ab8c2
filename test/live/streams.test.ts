import { afterEach, describe, expect, it } from 'vitest';
import { rewindChain } from '../../src/ingest/rewind.ts';
import { createPositionCodec } from '../../src/live/position.ts';
import { readEntryPage } from '../../src/live/read-page.ts';
import { deployments } from '../../src/protocol/deployments.ts';
import type { Reader, Store } from '../../src/store/store.ts';
import { expectProblem, NOW, ServiceFixture, write } from '../http/support.ts';
import { listMetadata, listOp, opBytes, placeLog, storageLocation, transfer, word } from '../model/encode-log.ts';
import { MAINNET, ZERO_ADDRESS } from '../model/mainnet.ts';
import { engines } from '../support/engines.ts';
import { loadLogs, loadProfiles } from '../support/load.ts';
import { fetchAnswer } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { type Item, openStream } from './event-client.ts';
import { ANN, BOB, CAT, followOf, MINT, SLOT, setCursor } from './event-logs.ts';

const ID = expect.stringMatching(/^[\w-]+$/);
const typesOf = (items: readonly { type: string }[]) => items.map(({ type }) => type);

const placeOf = ({ chain_id, block, log_index }: Item) => [chain_id, block, log_index];

describe.each(engines)('event streams on $name', (engine) => {
  const fixture = new ServiceFixture(engine);
  afterEach(() => fixture.close());

  async function serve(options: Parameters<ServiceFixture['serve']>[1] = {}) {
    const store = await fixture.open();
    await write(store, MINT);
    const service = await fixture.serve(store, { monotonic: () => performance.now(), ...options });
    return { store, ...service };
  }

  it('send what is committed after they were opened, in either format', async () => {
    const { store, url } = await serve();
    const stream = await openStream(url);
    const lines = await openStream(url, { format: 'ndjson' });
    await write(store, [followOf(BOB)]);
    const [event] = await stream.until(1);
    expect(event).toEqual({
      id: ID,
      type: 'follow',
      chain_id: 8453,
      block: 5001,
      block_hash: word(5001n),
      log_index: 0,
      time: '2026-02-02T02:39:00.000Z',
      account: ANN,
      name: '',
      avatar: '',
      list: '7',
      is_primary: true,
      slot: { chain_id: 8453, contract: MAINNET.records[0].address, slot: '5' },
      target: BOB,
      opcode: 1,
      op: `0x01010101${BOB.slice(2)}`,
    });
    expect(await lines.until(1)).toEqual([event]);
    expect(stream.items).toEqual([{ type: 'progress', id: ID, sent: 0 }, event]);
    stream.close();
    lines.close();
  });

  it('send a history from the first log, and end when they have caught up', async () => {
    const { url } = await serve();
    const stream = await openStream(url, { query: { since: '0', until: 'now' } });
    expect(typesOf(await stream.untilEnd())).toEqual(['mint', 'location', 'primary', 'user']);
    expect(stream.items.at(-1)).toEqual({ type: 'progress', id: ID, sent: 4 });
  });

  it('go on after an id, without a gap or a repetition from the history to what is new', async () => {
    const { store, url } = await serve();
    const first = await openStream(url, { query: { since: '0', until: 'now' } });
    const [, location] = await first.untilEnd();
    const stream = await openStream(url, { query: { since: location.id } });
    await write(store, [followOf(BOB)]);
    expect(typesOf(await stream.until(3))).toEqual(['primary', 'user', 'follow']);
    const header = await openStream(url, { query: { since: '0' }, headers: { 'last-event-id': stream.lastId() } });
    await write(store, [followOf(CAT)]);
    expect(typesOf(await header.until(1))).toEqual(['follow']);
    stream.close();
    header.close();
  });

  it('show events of each type', async () => {
    const { store, url } = await serve();
    await loadProfiles(store, [{ name: 'ann.eth', address: ANN, avatar: 'https://a.example/a.png', fresh: 1 }]);
    await write(store, [
      listOp(SLOT, opBytes(3, BOB, '0x626c6f636b')),
      listOp(SLOT, opBytes(4, BOB, '0x676d')),
      transfer(ANN, CAT, 7n),
      listMetadata(SLOT, 'manager', '0x'),
      storageLocation(7n, '0x'),
      transfer(CAT, ZERO_ADDRESS, 7n),
    ]);
    const stream = await openStream(url, { query: { since: '0', until: 'now', lists: 'all', include: 'ens' } });
    const events = await stream.untilEnd();
    const slot = { chain_id: 8453, contract: MAINNET.records[0].address, slot: '5' };
    const shown = events.map(({ id, chain_id, block, block_hash, log_index, time, name, avatar, ens, ...own }) => own);
    expect(shown).toEqual([
      { type: 'mint', account: ANN, list: '7', from: ZERO_ADDRESS },
      { type: 'location', account: ANN, list: '7', slot },
      { type: 'primary', account: ANN, list: '7' },
      { type: 'user', account: ANN, list: '', slot },
      ...[
        { type: 'block', opcode: 3, op: `0x01030101${BOB.slice(2)}626c6f636b`, tag: 'block' },
        { type: 'untag', opcode: 4, op: `0x01040101${BOB.slice(2)}676d`, tag: 'gm' },
      ].map((op) => ({ account: ANN, list: '', is_primary: false, slot, target: BOB, ...op })),
      { type: 'transfer', account: CAT, list: '7', from: ANN },
      { type: 'manager', account: '', list: '', slot },
      { type: 'location', account: CAT, list: '7', slot: null },
      { type: 'burn', account: CAT, list: '7', from: CAT },
    ]);
    expect(events[0]).toMatchObject({ name: 'ann.eth', avatar: 'https://a.example/a.png', ens: { name: 'ann.eth' } });
    expect(events[7]).not.toHaveProperty('ens');
  });

  it('filter by accounts, roles, types and tags, and by names', async () => {
    const { store, url } = await serve();
    await loadProfiles(store, [{ name: 'bob.eth', address: BOB, fresh: 1 }]);
    await write(store, [followOf(BOB), followOf(CAT), listOp(SLOT, opBytes(3, CAT, '0x676d'))]);
    const sentFor = async (query: Record<string, string>, body?: string) => {
      const post = body === undefined ? {} : { method: 'POST', body, headers: { 'content-type': 'application/json' } };
      const stream = await openStream(url, { query: { since: '0', until: 'now', ...query }, ...post });
      return (await stream.untilEnd()).map(({ type, target }) => `${type} ${target ?? ''}`);
    };
    const registers = ['mint ', 'location ', 'primary ', 'user '];
    expect(await sentFor({ account: 'bob.eth', type: 'follow' })).toEqual([`follow ${BOB}`]);
    // A list that is now a primary list counts, with what made it one.
    expect(await sentFor({ account: CAT, role: 'target' })).toEqual([...registers, `follow ${CAT}`, `tag ${CAT}`]);
    expect(await sentFor({ account: CAT, role: 'source' })).toEqual([]);
    expect(await sentFor({ account: ANN, type: 'tag,untag' })).toEqual([`tag ${CAT}`]);
    expect(await sentFor({ tag: 'GM ,other' })).toEqual([`tag ${CAT}`]);
    expect(
      await sentFor({ type: 'follow' }, JSON.stringify({ accounts: [BOB.toUpperCase().replace('X', 'x')] })),
    ).toEqual([`follow ${BOB}`]);
  });

  it('send ops of lists that are no primary lists only if all are asked for', async () => {
    const { store, url } = await serve();
    await write(store, [listOp({ chainId: 10, slot: 9n }, opBytes(1, BOB)), followOf(CAT)]);
    const targets = async (lists: string) => {
      const stream = await openStream(url, { query: { since: '0', until: 'now', type: 'follow', lists } });
      return (await stream.untilEnd()).map(({ target }) => target).sort();
    };
    expect([await targets('primary'), await targets('all')]).toEqual([[CAT], [BOB, CAT]]);
  });

  it('tell who watches a target when a list that names it becomes a primary list', async () => {
    const store = await fixture.open();
    await write(store, [...MINT.slice(0, 2), followOf(BOB)]);
    const { url } = await fixture.serve(store);
    const [watching, other] = [
      await openStream(url, { query: { account: BOB } }),
      await openStream(url, { query: { account: CAT } }),
    ];
    await write(store, MINT.slice(2));
    expect(typesOf(await watching.until(2))).toEqual(['primary', 'user']);
    await write(store, [followOf(CAT)]);
    expect(typesOf(await other.until(1))).toEqual(['follow']);
    watching.close();
    other.close();
  });

  it('undo what a reorg has removed: open streams back to the fork, others back to their final block', async () => {
    const { store, url } = await serve();
    await write(store, [followOf(BOB)]);
    await setCursor(store, { number: 5001, finalized_number: 5000 });
    const stream = await openStream(url);
    const finalized = await openStream(url, { query: { since: '0', finality: 'finalized' } });
    const [before] = stream.items;
    await write(store, [followOf(CAT)]);
    const [follow] = await stream.until(1);
    await store.transaction((tx) => rewindChain(tx, 8453, 5001));
    const undo = { type: 'undo', chain_id: 8453, block: 5001, block_hash: word(5001n), id: ID };
    expect((await stream.until(2))[1]).toEqual(undo);
    await setCursor(store, { number: 6000, finalized_number: 5000 });
    const resumed = await openStream(url, { query: { since: follow.id, until: 'now' } });
    expect(await resumed.untilEnd()).toMatchObject([
      { ...undo, block: 5000, block_hash: word(5000n) },
      { type: 'follow', target: BOB },
    ]);
    const unharmed = await openStream(url, { query: { since: before.id, until: 'now' } });
    expect(await unharmed.untilEnd()).toEqual([]);
    await setCursor(store, { number: 6000, finalized_number: 5001 });
    expect(typesOf(await finalized.until(5))).toEqual(['mint', 'location', 'primary', 'user', 'follow']);
    stream.close();
    finalized.close();
  });

  it('send nothing before the first load is complete, and not as something new', async () => {
    const store = await fixture.open();
    const { url, get } = await fixture.serve(store, { monotonic: () => performance.now() });
    const [stream, history] = [await openStream(url), await openStream(url, { query: { since: '0' } })];
    expect((await get('/events', { headers: { accept: 'application/json' } })).status).toBe(503);
    await write(store, MINT);
    expect(typesOf(await history.until(4))).toEqual(['mint', 'location', 'primary', 'user']);
    await waitFor(() => expect(stream.items).toEqual([{ type: 'progress', id: ID, sent: 0 }]));
    await store.transaction((tx) => tx.count({ unfolded_logs: 1 }));
    await write(store, [followOf(BOB)]);
    expect((await get('/events', { headers: { accept: 'application/json' } })).status).toBe(503);
    expect([stream.events, history.events.length]).toEqual([[], 4]);
    await store.transaction((tx) => tx.count({ unfolded_logs: -1, graph_version: 1 }));
    expect(typesOf(await stream.until(1))).toEqual(['follow']);
    expect(typesOf(await history.until(5)).at(-1)).toBe('follow');
    stream.close();
    history.close();
  });

  it('answer pages with the ids of streams and a link to the next', async () => {
    const { get, url } = await serve();
    const ask = (path: string) => get(path, { headers: { accept: 'application/json' } });
    const page = await ask('/events?since=0&limit=3');
    expect(typesOf(page.json.events)).toEqual(['mint', 'location', 'primary']);
    const [, next = ''] = /^<(\?.*)>; rel="next"$/.exec(page.headers.get('link') ?? '') ?? [];
    const last = await ask(`/events${next}`);
    expect([typesOf(last.json.events), last.headers.get('link')]).toEqual([['user'], null]);
    const now = await ask('/events');
    expect(now.json).toEqual({ events: [], id: last.json.id });
    const stream = await openStream(url, { query: { since: page.json.id, until: 'now' } });
    expect(await stream.untilEnd()).toEqual(last.json.events);
  });

  it('answer a page of the newest ones, however far back the last of them is', async () => {
    const { store, get } = await serve();
    const accept = (type: string) => ({ headers: { accept: type } });
    const ask = async (query: string) => (await get(`/events?${query}`, accept('application/json'))).json;
    expectProblem(await get('/events?last=2', accept('application/x-ndjson')), {
      status: 400,
      code: 'invalid-parameter',
    });
    // No stream can be meant by clients such as curl.
    expect((await get('/events?last=2', accept('*/*'))).json.events).toHaveLength(2);
    await write(store, [followOf(BOB)]);
    // More logs than are searched at first, in this chain and in another one.
    const tags = Array.from({ length: 600 }, () => listOp(SLOT, opBytes(3, CAT, '0x676d')));
    await write(store, tags);
    await write(store, [listOp({ chainId: 10, slot: 9n }, opBytes(1, BOB)), followOf(CAT)]);
    const all = await ask('since=0&limit=1000');
    for (const count of [1, 2, 3, 601, 1000])
      expect((await ask(`last=${count}`)).events.map(placeOf)).toEqual(all.events.slice(-count).map(placeOf));
    const follows = await ask('last=2&type=follow');
    expect(follows.events.map(({ target }: Item) => target)).toEqual([BOB, CAT]);
    expect(follows.id).toBe(all.id);
    expect((await ask(`last=5&lists=all&type=follow`)).events).toHaveLength(3);
  });

  it('look for the newest ones in a number of logs that does not grow with the chains', async () => {
    const { store } = await serve();
    await write(store, [listOp({ chainId: 10, slot: 9n }, opBytes(1, BOB))]);
    let logs = 0;
    const reader: Reader = {
      dialect: store.reader.dialect,
      all: (statement, params) => {
        if ('logs' in params) logs += Number(params.logs);
        return store.reader.all(statement, params);
      },
    };
    const filter = { accounts: null, role: 'any', types: null, tags: new Set(['gm']), allLists: false } as const;
    const asked = { filter, finality: 'latest', withEns: false, since: null, limit: 1, last: 1 } as const;
    const page = await readEntryPage(reader, createPositionCodec(deployments.mainnet), asked);
    expect(page?.position.size).toBeGreaterThan(1);
    expect(logs).toBeLessThanOrEqual(502);
  });

  it('are not compressed, buffered or stored on the way, and open to every origin', async () => {
    const { url } = await serve();
    const stream = await openStream(url, { headers: { origin: 'https://a.example', 'accept-encoding': 'gzip' } });
    expect(stream.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'access-control-allow-origin': '*',
    });
    expect(stream.headers).not.toHaveProperty('content-encoding');
    stream.close();
    const head = await fetchAnswer(`${url}/api/v1/events`, { method: 'HEAD' });
    expect([head.status, head.text, head.headers.get('content-type')]).toEqual([
      200,
      '',
      'text/event-stream; charset=utf-8',
    ]);
    const options = await fetchAnswer(`${url}/api/v1/events`, { method: 'OPTIONS' });
    expect(options.headers.get('allow')).toBe('GET, HEAD, OPTIONS, POST');
  });
});

describe.each(engines.slice(0, 1))('the position of an event stream', (engine) => {
  const fixture = new ServiceFixture(engine);
  afterEach(() => fixture.close());

  it('is the same id in another process, after a restart, and on the other engine', async () => {
    const idOf = async (store: Store) => {
      const { get } = await fixture.serve(store);
      return (await get('/events', { headers: { accept: 'application/json' } })).json.id;
    };
    const store = await fixture.open();
    await write(store, MINT);
    const ids = [await idOf(store), await idOf(store), await idOf(await fixture.open())];
    const other = new ServiceFixture(engines[1] as (typeof engines)[number]);
    try {
      const moved = await other.open();
      await loadLogs(
        moved,
        MINT.map((body, logIndex) =>
          placeLog(body, { blockNumber: 5000, blockHash: word(5000n), time: NOW - 60, logIndex }),
        ),
      );
      const { get } = await other.serve(moved);
      ids.push((await get('/events', { headers: { accept: 'application/json' } })).json.id);
    } finally {
      await other.close();
    }
    expect(new Set(ids).size).toBe(1);
  });

  it('is waited for if it is not indexed yet', async () => {
    const store = await fixture.open();
    await write(store, MINT);
    const { url, get } = await fixture.serve(store, { monotonic: () => performance.now() });
    await write(store, [followOf(BOB)]);
    const { id } = (await get('/events', { headers: { accept: 'application/json' } })).json;
    await store.transaction((tx) => rewindChain(tx, 8453, 5000));
    const opening = openStream(url, { query: { since: id } });
    await loadLogs(store, [
      placeLog(followOf(BOB), { blockNumber: 5001, blockHash: word(5001n), time: NOW - 60, logIndex: 0 }),
    ]);
    const stream = await opening;
    await write(store, [followOf(CAT)]);
    expect(await stream.until(1)).toMatchObject([{ type: 'follow', target: CAT }]);
    stream.close();
  });
});
