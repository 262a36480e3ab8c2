import { getAddress } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { expectProblem, ServiceFixture, STAR } from '../http/support.ts';
import { engines } from '../support/engines.ts';
import { fetchAnswer, type Service } from '../support/service.ts';
import { CLIENTS } from './clients.ts';
import { findUnreadable } from './reads.ts';

const cases = CLIENTS.flatMap(({ client, headers = {}, times = 1, requests }) =>
  Object.entries(requests).map(([request, reads]) => [client, request, { headers, times, reads }] as const),
);

/** Splits `POST /path body`, or `/path` for a GET. */
function parseRequest(request: string): { path: string; method: string; body: string | null } {
  const [, method = 'GET', path = '', body = null] = /^(?:(POST) )?(\S+)(?: (.*))?$/.exec(request) ?? [];
  return { path, method, body };
}

describe.each(engines)('published clients on $name', (engine) => {
  const fixture = new ServiceFixture(engine);
  let service: Service;
  let accounts: Record<string, string>;
  beforeAll(async () => {
    const { freshRateLimit } = readConfig({}).limits;
    service = await fixture.serveDemo({ limits: { freshRateLimit } });
    const { json } = await service.get(`/users/${STAR.name}/following?tags=top8&limit=1`);
    accounts = {
      ':address': STAR.address,
      ':checksum': getAddress(STAR.address),
      ':name': STAR.name,
      ':list': STAR.list,
      ':other': getAddress(json.following[0].address),
      ':nobody': `0x${'Ab'.repeat(20)}`,
    };
  });
  afterAll(() => fixture.close());

  it.each(cases)('%s gets what it reads from %s', async (_, request, { headers, times, reads }) => {
    const filled = request.replace(/:[a-z]+/g, (token) => accounts[token] ?? token);
    const { path, ...init } = parseRequest(filled);
    for (let count = 0; count < times; count++) {
      const answer = await fetchAnswer(`${service.url}/api/v1${path}`, { ...init, headers });
      if (reads === 404 || reads === 400) {
        expectProblem(answer, { status: reads, code: reads === 404 ? 'unknown-path' : 'invalid-parameter' });
      } else {
        expect(answer.status).toBe(200);
        expect(findUnreadable(answer.json ?? answer.text, reads)).toEqual([]);
      }
    }
  });
});
