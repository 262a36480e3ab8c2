import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectProblem } from '../http/support.ts';
import { ANN, BOB } from '../model/small-history.ts';
import { anyEngine } from '../support/engines.ts';
import { loadProfiles } from '../support/load.ts';
import type { Answer, Service } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { type Live, LiveFixture } from './live-fixture.ts';

const DAY_MS = 86_400_000;

/** One request at once. The next lookup would wait for longer than its deadline. */
const LIMIT = { requestsPerSecond: 0.03, badgeEvents: ['177709'] };

describe.each(anyEngine)('SOURCE_REQUESTS_PER_SECOND on $name', (engine) => {
  const fixture = new LiveFixture(engine);
  let live: Live;
  let service: Service;
  beforeEach(async () => {
    live = await fixture.open();
    service = await live.serve(LIMIT);
  });
  afterEach(() => fixture.close());

  const names = Array.from({ length: 4 }, (_, i) => `n${i}.eth`);
  async function useUp(): Promise<Answer[]> {
    for (const name of names) live.node.addName(name, ANN);
    const answers: Answer[] = [];
    // Each from another client.
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
    expect(answers.map(({ status }) => status)).toEqual([200, 503, 503, 503]);
    expect(live.node.requests).toHaveLength(1);
    for (const answer of answers.slice(1)) expectUnavailable(answer);
  });

  it('is shared fairly: a client gets its answer beside five that ask for names without end', async () => {
    live.monotonic = () => performance.now();
    const shared = await live.serve({ requestsPerSecond: 60 });
    live.node.addName('last.eth', ANN);
    let isDone = false;
    const hostile = [1, 2, 3, 4, 5].map(async (client) => {
      for (let batch = 0; !isDone; batch++) {
        const names = Array.from({ length: 20 }, (_, i) => `x${client}-${batch}-${i}.eth`);
        await Promise.all(names.map((name) => getAs(`10.0.0.${client}`, `/users/${name}/stats`, shared)));
      }
    });
    await waitFor(() => expect(live.node.requests.length).toBeGreaterThan(300));
    const answer = await getAs('10.0.0.9', '/users/last.eth/followers', shared);
    isDone = true;
    await Promise.all(hostile);
    expect(answer.status).toBe(200);
  });

  it('is shared fairly for badges too: a client is not behind all that another one asks for', async () => {
    const shared = await live.serve({ badgeEvents: ['177709'], requestsPerSecond: 60 });
    const release = live.poap.hold();
    const accountOf = (i: number) => `0x${String(i).padStart(40, '0')}`;
    const asked = () => live.poap.requests.map(({ address }) => address);
    const hostile = Array.from({ length: 40 }, (_, i) => getAs('10.0.0.1', `/users/${accountOf(i)}/badges`, shared));
    await waitFor(() => expect(asked().length).toBeGreaterThan(0));
    await shared.get(`/users/${ANN}/followers`);
    const honest = getAs('10.0.0.9', `/users/${ANN}/badges`, shared);
    await shared.get(`/users/${BOB}/followers`);
    release();
    expect((await honest).status).toBe(200);
    await Promise.all(hostile);
    expect(asked().indexOf(ANN)).toBeLessThan(20);
  });

  it('allows requests again with time', async () => {
    await useUp();
    live.now += 70_000;
    expect((await service.get('/users/n3.eth/followers')).status).toBe(200);
  });

  it('leaves stored names to be served, however old', async () => {
    await loadProfiles(live.store, [{ address: ANN, name: 'ann.eth', fresh: live.now - 2 * DAY_MS }]);
    await useUp();
    expect((await service.get('/users/ann.eth/followers')).json.followers).toMatchObject([{ address: BOB }]);
    expect((await service.get(`/users/${ANN}/ens`)).json.ens.name).toBe('ann.eth');
  });

  it('lets cache=fresh be answered from what is stored', async () => {
    await useUp();
    expect((await service.get(`/users/${ANN}/ens?cache=fresh`)).status).toBe(200);
    expect(live.node.requests).toHaveLength(1);
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
