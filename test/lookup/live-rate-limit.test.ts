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
    for (const name of names) answers.push(await service.get(`/users/${name}/followers`));
    return answers;
  }
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
