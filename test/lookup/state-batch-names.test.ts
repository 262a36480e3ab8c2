import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ANN, BOB, CAT } from '../model/small-history.ts';
import { anyEngine } from '../support/engines.ts';
import { loadProfiles } from '../support/load.ts';
import type { Service } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { type Live, LiveFixture } from './live-fixture.ts';

const DAY_MS = 86_400_000;
/** Names of one batch that are resolved at the same time. */
const AT_ONCE = 3;

describe.each(anyEngine)('names in a batch of states with a name source', (engine) => {
  const fixture = new LiveFixture(engine);
  let live: Live;
  let service: Service;
  beforeEach(async () => {
    live = await fixture.open();
    service = await live.serve();
  });
  afterEach(() => fixture.close());

  const post = (entries: readonly (string | null)[], query = '') =>
    service.get(`/lists/0/buttonStateBatch${query}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(entries),
    });
  const refuse = () => {
    live.node.faultOf = () => 'error';
  };
  const following = { follow: true, block: false, mute: false };
  const none = { follow: false, block: false, mute: false };

  it('are resolved with the source, and null if no account has them', async () => {
    live.node.addName('bob.eth', BOB);
    expect((await post(['BOB.eth', 'nobody.eth', CAT])).json).toEqual([
      { token_id: '0', address: BOB, state: following },
      { token_id: '0', address: 'nobody.eth', state: null },
      { token_id: '0', address: CAT, state: none },
    ]);
  });

  it('are requested once each, and texts that are no name never', async () => {
    live.node.addName('bob.eth', BOB);
    const { json } = await post(['bob.eth', 'bob.eth', 'bob', 'a b.eth', null, BOB]);
    expect(json.map(({ state }: { state: unknown }) => state)).toEqual([
      following,
      following,
      null,
      null,
      null,
      following,
    ]);
    expect(live.node.requests.map(({ query }) => query)).toEqual(['bob.eth']);
  });

  it(`are requested ${AT_ONCE} at a time at most`, async () => {
    const names = Array.from({ length: 12 }, (_, i) => `name${i}.eth`);
    const held: (() => void)[] = [];
    let most = 0;
    for (const name of names) live.node.addName(name, BOB);
    live.node.faultOf = () => (send) => {
      held.push(send);
      most = Math.max(most, held.length);
    };
    const answer = post(names);
    for (let answered = 0; answered < names.length; ) {
      const expected = Math.min(AT_ONCE, names.length - answered);
      await waitFor(() => expect(held).toHaveLength(expected));
      answered += expected;
      for (const release of held.splice(0)) release();
    }
    expect((await answer).json).toEqual(names.map(() => ({ token_id: '0', address: BOB, state: following })));
    expect(most).toBe(AT_ONCE);
    expect(live.node.requests).toHaveLength(names.length);
  });

  it('have the state null if their own resolver reverts, and the others theirs', async () => {
    live.node.addName('bob.eth', BOB);
    live.node.faultOf = ({ query }) => (query === 'hostile.eth' ? 'revert' : undefined);
    const { status, json } = await post(['bob.eth', 'hostile.eth', CAT]);
    expect([status, json.map(({ state }: { state: unknown }) => state)]).toEqual([200, [following, null, none]]);
  });

  it('fail the whole batch with 503 when the source returns an error, instead of the state null', async () => {
    refuse();
    const { status, headers, json } = await post([BOB, 'bob.eth']);
    expect([status, json.code]).toEqual([503, 'unavailable']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(json.detail).not.toContain('127.0.0.1');
  });

  it('are resolved from stored profiles during an outage, even from expired ones', async () => {
    await loadProfiles(live.store, [{ address: BOB, name: 'bob.eth', fresh: live.now - 2 * DAY_MS }]);
    refuse();
    const { status, json } = await post(['bob.eth']);
    expect([status, json]).toEqual([200, [{ token_id: '0', address: BOB, state: following }]]);
  });

  it('are not needed for addresses, which are answered during an outage', async () => {
    refuse();
    expect((await post([BOB, null])).status).toBe(200);
    expect(live.node.requests).toEqual([]);
  });

  it('are not stored and not queued for a refresh: a batch writes nothing', async () => {
    live.node.addName('bob.eth', BOB);
    live.node.addName('cat.eth', CAT);
    const version = live.store.version.current();
    await post(['bob.eth', 'cat.eth', ANN, 'nobody.eth']);
    await fixture.closeServices();
    for (const table of ['profiles', 'wanted_profiles'] as const) {
      const rows = await live.store.transaction((tx) => tx.query((db) => db.selectFrom(table).selectAll()));
      expect([table, rows]).toEqual([table, []]);
    }
    expect(live.store.version.current()).toBe(version);
  });

  it('of the viewer and the entries of POST /accounts are resolved with the source', async () => {
    live.node.addName('bob.eth', BOB);
    live.node.addName('ann.eth', ANN);
    const { status, json } = await service.get('/accounts?viewer=ann.eth', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '["bob.eth","nobody.eth"]',
    });
    expect([status, json]).toEqual([200, [expect.objectContaining({ address: BOB, state: following }), null]]);
  });

  it('in POST /accounts, and its addresses, have their profiles queued for a refresh', async () => {
    live.node.addName('ann.eth', ANN);
    await service.get('/accounts?viewer=ann.eth', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify([BOB, `0x${'9'.repeat(40)}`, 'nobody.eth', null]),
    });
    await fixture.closeServices();
    const queued = await live.store.transaction((tx) => tx.query((db) => db.selectFrom('wanted_profiles').selectAll()));
    expect(queued.map(({ address }) => address).toSorted()).toEqual([ANN, BOB].toSorted());
  });

  it('of entries are not requested if no account holds that of the viewer', async () => {
    const { status, json } = await service.get('/accounts?viewer=nobody.eth', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '["bob.eth"]',
    });
    expect([status, json.code, live.node.requests.map(({ query }) => query)]).toEqual([
      404,
      'unknown-name',
      ['nobody.eth'],
    ]);
  });

  it('are not requested for an unknown list', async () => {
    const { status } = await service.get('/lists/999/buttonStateBatch', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '["bob.eth"]',
    });
    expect([status, live.node.requests]).toEqual([404, []]);
  });

  it('of more than 255 characters are not requested', async () => {
    const name = `${'a'.repeat(252)}.eth`;
    expect((await post([name])).json).toEqual([{ token_id: '0', address: name, state: null }]);
    expect(live.node.requests).toEqual([]);
  });
});
