import { afterEach, describe, expect, it } from 'vitest';
import { MAX_PROFILE_BYTES } from '../../src/names/profile.ts';
import type { Address } from '../../src/protocol/hex.ts';
import { markLoaded } from '../../src/store/state.ts';
import { ServiceFixture } from '../http/support.ts';
import { ANN, ANNS, annsList, follow, logsOf } from '../model/small-history.ts';
import { anyEngine } from '../support/engines.ts';
import { loadLogs, loadProfiles } from '../support/load.ts';
import { fetchAnswer, type Service } from '../support/service.ts';

describe.each(anyEngine)('a result of a tool on $name', (engine) => {
  const fixture = new ServiceFixture(engine);
  afterEach(() => fixture.close());

  async function call({ url }: Service, name: string, given: object) {
    const { json } = await fetchAnswer(`${url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/csv, application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } }),
    });
    return json.result.structuredContent;
  }

  it('is short, of an answer that is too long to be held in memory', async () => {
    const accounts = Array.from({ length: 60 }, (_, i): Address => `0x${(i + 1).toString(16).padStart(40, '0')}`);
    const store = await fixture.open();
    await loadLogs(store, logsOf([...annsList, ...accounts.map((account) => follow(ANNS, account))]));
    const text = 'x'.repeat(MAX_PROFILE_BYTES - 1_000);
    const profiles = accounts.map((address, i) => ({ address, name: `long${i}.eth`, avatar: text, fresh: 1 }));
    await loadProfiles(store, profiles);
    const service = await fixture.serve(store);
    const given = { account: ANN, limit: 50, sort: 'earliest' };
    const { following, next } = await call(service, 'following', given);
    const names = accounts.map((_, i) => `long${i}.eth`);
    expect(following.map(({ name }: { name: string }) => name)).toEqual(names.slice(0, 50));
    const rest = await call(service, next.tool, next.arguments);
    expect(rest.following.map(({ name }: { name: string }) => name)).toEqual(names.slice(50));
    expect(rest.next).toBeUndefined();
    const { avatar } = await call(service, 'who_is', { account: accounts[0] });
    expect(avatar).toBe(`${text.slice(0, 500)}…`);
  });

  it('has a notice until the first load is complete', async () => {
    const store = await fixture.open();
    const service = await fixture.serve(store);
    expect(await call(service, 'graph_stats', {})).toHaveProperty('notice');
    await store.transaction(markLoaded);
    expect(await call(service, 'graph_stats', {})).not.toHaveProperty('notice');
  });
});
