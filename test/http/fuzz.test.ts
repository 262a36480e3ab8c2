import { Agent } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRandom } from '../model/random.ts';
import { anyEngine } from '../support/engines.ts';
import type { Service } from '../support/service.ts';
import { oddBytes, oddRequest } from './odd-requests.ts';
import { PROBLEM_TYPE, type RawAnswer, type RawRequest, STAR, Stage, send, sendBytes } from './support.ts';

/** KITH_FUZZ_SEED replays a failing run, or tries something new. */
const seed = Number(process.env.KITH_FUZZ_SEED ?? 1);
const REQUESTS = 4000;
const MALFORMED = 150;
const AT_ONCE = 16;

const NORMAL = [
  '/health',
  `/api/v1/lists/${STAR.list}/details`,
  `/api/v1/users/${STAR.name}/followers?sort=followers`,
  `/api/v1/users/${STAR.address}/notifications?interval=all&limit=50`,
  `/api/v1/users/${STAR.address}/badges`,
  '/api/v1/leaderboard/search?term=a',
];

describe.each(anyEngine)('on $name', (engine) => {
  const stage = new Stage(engine);
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const errors: string[] = [];
  let service: Service;
  let before: string[];
  beforeAll(async () => {
    service = await stage.serveDemo({ log: (line) => isError(line) && errors.push(line) });
    before = await answerNormally();
  });
  afterAll(async () => {
    agent.destroy();
    await stage.close();
  });

  const answerNormally = () =>
    Promise.all(
      NORMAL.map(async (path) => {
        const { status, body } = await send(service.url, { path });
        return `${status} ${body}`;
      }),
    );

  it(`odd requests get an answer or a problem, never a failure (KITH_FUZZ_SEED=${seed})`, async () => {
    const random = createRandom(seed);
    const requests = Array.from({ length: REQUESTS }, () => oddRequest(random));
    const wrong: string[] = [];
    const statuses = new Map<number, number>();
    await inTurns(requests, async (request) => {
      const answer = await send(service.url, { ...request, agent }).catch((error: Error) => {
        wrong.push(`${error.message}: ${show(request)}`);
      });
      if (answer === undefined) return;
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      const complaint = complaintAbout(request, answer);
      if (complaint !== undefined) wrong.push(`${complaint}: ${show(request)} => ${answer.body.slice(0, 200)}`);
    });
    expect(wrong).toEqual([]);
    // The odd ones reach all there is to reach: answers, and each kind of refusal.
    expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 204, 400, 404, 405]));
  });

  it(`bytes that are hardly HTTP get a refusal or nothing (KITH_FUZZ_SEED=${seed})`, async () => {
    const random = createRandom(seed);
    const wrong: string[] = [];
    await inTurns(
      Array.from({ length: MALFORMED }, () => oddBytes(random)),
      async (bytes) => {
        const received = await sendBytes(service.url, bytes);
        if (!/^(HTTP\/1\.1 [234]\d\d |$)/.test(received)) wrong.push(`${JSON.stringify(bytes)} => ${received}`);
      },
    );
    expect(wrong).toEqual([]);
  });

  it('it answers afterwards as before', async () => {
    expect(await answerNormally()).toEqual(before);
    expect(before.map((answer) => answer.slice(0, 4))).toEqual(NORMAL.map(() => '200 '));
  });

  it('nothing of it was logged as an error', () => {
    expect(errors).toEqual([]);
  });

  it('no request has reached a prototype', () => {
    expect(Object.keys(Object.getPrototypeOf({}))).toEqual([]);
    expect('polluted' in {}).toBe(false);
  });
});

/** What is wrong with an answer, whatever the request. */
function complaintAbout({ method }: RawRequest, { status, headers, body }: RawAnswer): string | undefined {
  if (status >= 500) return `status ${status}`;
  if (status < 400) return undefined;
  if (!PROBLEM_TYPE.test(headers['content-type'] ?? '')) return `a ${status} that is no problem+json`;
  if (method === 'HEAD') return body === '' ? undefined : 'a body on HEAD';
  try {
    const problem = JSON.parse(body);
    const isWhole = problem.status === status && problem.type && problem.title && problem.detail && problem.code;
    return isWhole ? undefined : 'a problem that lacks something';
  } catch {
    return 'a problem that is no JSON';
  }
}

/** Does `work` for each item, a few at a time, beginning in order. */
async function inTurns<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const item of rest) await work(item);
    }),
  );
}

function show(request: RawRequest): string {
  return JSON.stringify(request, (_, value) => (typeof value === 'string' ? value.slice(0, 300) : value));
}

function isError(line: string): boolean {
  return JSON.parse(line).level >= 50;
}
