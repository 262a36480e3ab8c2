import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ANN, BOB } from '../model/small-history.ts';
import { anyEngine } from '../support/engines.ts';
import { fetchAnswer, type Service } from '../support/service.ts';
import { type Live, LiveFixture } from './live-fixture.ts';

describe.each(anyEngine)('metrics of sources on $name', (engine) => {
  const fixture = new LiveFixture(engine);
  let live: Live;
  let service: Service;
  beforeEach(async () => {
    live = await fixture.open();
    live.node.addName('ann.eth', ANN);
    service = await live.serve({ requestsPerSecond: 3 });
  });
  afterEach(() => fixture.close());

  const metrics = async () => (await fetchAnswer(`${service.url}/metrics`)).text.split('\n');
  const lookups = async () => (await metrics()).filter((line) => line.startsWith('kith_source_lookups_total{'));

  it('count the lookups of names and profiles by outcome', async () => {
    await service.get('/users/ann.eth/followers');
    await service.get('/users/bob.eth/followers');
    await service.get(`/users/${ANN}/ens?cache=fresh`);
    live.node.faultOf = () => 'error';
    await service.get('/users/cat.eth/followers');
    expect(await lookups()).toEqual([
      'kith_source_lookups_total{source="chain",of="name",outcome="found"} 1',
      'kith_source_lookups_total{source="chain",of="name",outcome="absent"} 1',
      'kith_source_lookups_total{source="chain",of="profile",outcome="found"} 1',
      'kith_source_lookups_total{source="chain",of="name",outcome="failed"} 1',
    ]);
  });

  it('count the lookups of badges, and those that the rate limit rejects', async () => {
    // One of two requests: the next would wait for longer than its deadline.
    service = await live.serve({ requestsPerSecond: 0.03 });
    await service.get(`/users/${BOB}/badges`);
    const lines = await lookups();
    expect(lines).toContainEqual(expect.stringMatching(/source="poap",of="badge",outcome="absent"\} \d+$/));
    expect(lines).toContainEqual(expect.stringMatching(/source="poap",of="any",outcome="rate-limited"\} \d+$/));
  });

  it('time the lookups and count the requests', async () => {
    await service.get('/users/ann.eth/followers');
    const lines = await metrics();
    // The first request asks for the chain of the node.
    expect(lines).toContain('kith_source_lookup_seconds_count{source="chain",of="name"} 1');
    expect(lines).toContain('kith_source_requests_total{source="chain"} 2');
    expect(lines).toContain('# TYPE kith_source_requests_total counter');
  });

  it('include the background refresh as of the database', async () => {
    await live.store.transaction((tx) =>
      tx.upsert('counters', [
        { name: 'profile_refreshes', label: 'unresolvable', value: 3 },
        { name: 'profiles', label: 'named', value: 7 },
        { name: 'profiles_oldest', label: '', value: 1_700_000_000 },
      ]),
    );
    await metrics();
    const lines = await metrics();
    expect(lines).toContain('# TYPE kith_profile_refreshes_total counter');
    expect(lines).toContain('kith_profile_refreshes_total{outcome="unresolvable"} 3');
    expect(lines).toContain('kith_profiles{of="named"} 7');
    expect(lines).toContain('kith_profile_oldest_timestamp_seconds 1700000000');
  });
});
