import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectProblem } from '../http/support.ts';
import { ANN, BOB } from '../model/small-history.ts';
import { anyEngine } from '../support/engines.ts';
import { loadProfiles } from '../support/load.ts';
import type { Answer, Service } from '../support/service.ts';
import { type Live, LiveFixture } from './live-fixture.ts';

const DAY_MS = 86_400_000;

/** One request per second, and a burst of five: the chain id of the node, and four names. */
const LIMIT = { requestsPerSecond: 1 };

describe.each(anyEngine)('SOURCE_REQUESTS_PER_SECOND on $name', (engine) => {
  const fixture = new LiveFixture(engine);
  let live: Live;
  let service: Service;
  beforeEach(async () => {
    live = await fixture.open();
    service = await live.serve(LIMIT);
  });
  afterEach(() => fixture.close());

  const names = Array.from({ length: 8 }, (_, i) => `n${i}.eth`);
  async function useUp(): Promise<Answer[]> {
    for (const name of names) live.node.addName(name, ANN);
    const answers: Answer[] = [];
    // Each from another client, since one client cannot use up the whole budget.
    for (const [i, name] of names.entries()) answers.push(await getAs(`10.0.0.${i}`, `/users/${name}/followers`));
    return answers;
  }
  const getAs = (client: string, path: string, on = service) =>
    on.get(path, { headers: { 'x-forwarded-for': client } });
  const expectUnavailable = (answer: Answer) => {
    expectProblem(answer, { status: 503, code: 'unavailable' });
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  };

  it('limits the requests for unknown names, which are then 503 with Retry-After', async () => {
    const answers = await useUp();
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 503, 503, 503, 503]);
    expect(live.node.requests).toHaveLength(4);
    for (const answer of answers.slice(4)) expectUnavailable(answer);
  });

  it('leaves half of it to other clients than the one that asks for most names', async () => {
    const other = await live.serve({ requestsPerSecond: 4 });
    for (const name of [...names, 'last.eth']) live.node.addName(name, ANN);
    const entries = JSON.stringify([...names, ...names.map((name) => `x${name}`)]);
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': '10.0.0.1' };
    const batch = await other.get('/lists/0/buttonStateBatch', { method: 'POST', headers, body: entries });
    expectUnavailable(batch);
    expectUnavailable(await getAs('10.0.0.1:4711', '/users/last.eth/followers', other));
    expect((await getAs('10.0.0.2', '/users/last.eth/followers', other)).status).toBe(200);
  });

  it('allows requests again with time', async () => {
    await useUp();
    live.now += 6_000;
    expect((await service.get('/users/n5.eth/followers')).status).toBe(200);
  });

  it('leaves stored names to be served, however old', async () => {
    await loadProfiles(live.store, [{ address: ANN, name: 'ann.eth', fresh: live.now - 2 * DAY_MS }]);
    await useUp();
    expect((await service.get('/users/ann.eth/followers')).json.followers).toMatchObject([{ address: BOB }]);
    expect((await service.get(`/users/${ANN}/ens`)).json.ens.name).toBe('ann.eth');
  });

  it('makes cache=fresh 503 with Retry-After', async () => {
    await useUp();
    expectUnavailable(await service.get(`/users/${ANN}/ens?cache=fresh`));
    expect(live.node.requests).toHaveLength(4);
  });

  it('is logged once when it is reached', async () => {
    await useUp();
    const lines = live.log.filter((line) => line.includes('rate limit of a source reached'));
    expect(lines).toHaveLength(1);
    expect(live.log.filter((line) => line.includes('name resolution failed'))).toEqual([]);
  });

  it('applies to badges separately from names', async () => {
    await useUp();
    expect((await service.get(`/users/${ANN}/badges`)).status).toBe(200);
    expectUnavailable(await service.get(`/users/${BOB}/badges`));
  });
});
