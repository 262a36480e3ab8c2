import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ANN, ANNS, annsList, BOB, BOBS, bobsList, follow, logsOf, tag, unfollow } from '../model/small-history.ts';
import { engines } from '../support/engines.ts';
import { loadLogs } from '../support/load.ts';
import type { Service } from '../support/service.ts';
import { expectProblem, ServiceFixture } from './support.ts';

const CAROL = `0x${'e'.repeat(40)}` as const;
const MONDAY = '2025-10-13';

/** The n-th log is in block 1000 + n, at a time of its own. */
function at(times: readonly string[], bodies: Parameters<typeof logsOf>[0]) {
  return logsOf(bodies).map((log, i) => ({
    ...log,
    blockTimestamp: `0x${(Date.parse(times[i] ?? times[0] ?? '') / 1000).toString(16)}` as const,
  }));
}

describe.each(engines)('the history of an account on $name', (engine) => {
  const fixture = new ServiceFixture(engine);
  let service: Service;
  beforeAll(async () => {
    const store = await fixture.open();
    const setup = [...annsList, ...bobsList];
    const ops = [
      ['2025-10-12T23:59:59Z', follow(ANNS, CAROL)],
      [`${MONDAY}T00:00:00Z`, follow(BOBS, CAROL)],
      // A change of the record is no beginning.
      ['2025-10-15T12:00:00Z', tag(ANNS, CAROL, 'top8')],
      ['2025-10-16T12:00:00Z', unfollow(BOBS, CAROL)],
      ['2025-11-01T00:00:00Z', follow(BOBS, CAROL)],
    ] as const;
    const times = [...setup.map(() => '2025-10-01T00:00:00Z'), ...ops.map(([time]) => time)];
    await loadLogs(store, at(times, [...setup, ...ops.map(([, body]) => body)]));
    service = await fixture.serve(store, { now: () => Date.parse('2025-11-02T10:00:00Z') });
  });
  afterAll(() => fixture.close());

  const points = async (query: string) => {
    const { status, json } = await service.get(`/users/${CAROL}/history?${query}`);
    expect([query, status]).toEqual([query, 200]);
    return json.points.map((point: Record<string, unknown>) => [
      String(point.time).slice(0, 10),
      point.followers,
      point.gained,
      point.lost,
    ]);
  };

  it('begins weeks on Monday, counts from the follow after the last unfollow, and ends now', async () => {
    expect(await points('interval=week')).toEqual([
      ['2025-10-06', 1, 1, 0],
      [MONDAY, 1, 1, 1],
      ['2025-10-20', 1, 0, 0],
      ['2025-10-27', 2, 1, 0],
    ]);
  });

  it('has a point for each interval from that of `from` to that of `to`, in any form of a date', async () => {
    const expected = [
      ['2025-10-15', 1, 0, 0],
      ['2025-10-16', 1, 0, 1],
      ['2025-10-17', 1, 0, 0],
    ];
    for (const query of [
      'from=2025-10-15&to=2025-10-17',
      'interval=DAY&from=2025-10-15T23:59Z&to=2025-10-17T00:00:00.000Z',
      `from=${Date.UTC(2025, 9, 15) / 1000}&to=${Date.UTC(2025, 9, 17, 23) / 1000}`,
    ])
      expect(await points(query)).toEqual(expected);
    expect(await points('interval=month&from=2025-12-31&to=2026-01-01')).toEqual([
      ['2025-12-01', 2, 0, 0],
      ['2026-01-01', 2, 0, 0],
    ]);
  });

  it('has the interval of now for an account that nobody has followed', async () => {
    const { json } = await service.get(`/users/0x${'9'.repeat(40)}/history`);
    expect(json).toEqual({
      interval: 'day',
      points: [{ time: '2025-11-02T00:00:00.000Z', followers: 0, gained: 0, lost: 0 }],
    });
  });

  it('has at most 1,000 points: more are 400, or the last ones without `from`', async () => {
    expect(await points('from=2023-01-01&to=2025-09-26')).toHaveLength(1000);
    const tooMany = await service.get(`/users/${CAROL}/history?from=2023-01-01&to=2025-09-27`);
    expect(expectProblem(tooMany, { status: 400, code: 'invalid-parameter' })).toContain('got 1001');
    const later = await points('to=2029-01-01');
    expect([later.length, later[0], later.at(-1)]).toEqual([1000, ['2026-04-08', 2, 0, 0], ['2029-01-01', 2, 0, 0]]);
  });

  it.each([
    'from=2025-10-17&to=2025-10-16',
    'interval=month&from=2025-10-17&to=2025-10-16',
    'from=2030-01-01',
    'from=2025-02-30',
    'to=-1',
    'to=253402300800',
    'from=yesterday',
    'interval=hour',
    'from=2025-10-16T10:00:00',
  ])('is 400: %s', async (query) => {
    const answer = await service.get(`/users/${CAROL}/history?${query}`);
    expectProblem(answer, { status: 400, code: 'invalid-parameter' });
  });

  it('is the same under all spellings of a time, as one cached answer', async () => {
    const path = `/users/${CAROL}/history?to=2025-10-16&from=`;
    await service.get(`${path}2025-10-10`);
    const same = await service.get(`${path}2025-10-10T00:00:00Z`);
    expect(same.headers.get('x-cache')).toBe('HIT');
    expect((await service.get(`${path}${Date.UTC(2025, 9, 10) / 1000}`)).headers.get('x-cache')).toBe('HIT');
  });

  it('comes from ops that activity lists, by account and by list', async () => {
    const { json } = await service.get(`/users/${ANN}/activity?interval=all&start=1800000000`);
    expect(json.activity).toMatchObject([
      { address: CAROL, token_id: '0', action: 'tag', tag: 'top8', updated_at: '2025-10-15T12:00:00.000Z' },
      { address: CAROL, token_id: '0', action: 'follow', tag: '' },
    ]);
    const byList = await service.get('/lists/2/activity?interval=all&start=1800000000&opcode=2');
    expect(byList.json.activity).toMatchObject([{ address: CAROL, token_id: '2', action: 'unfollow' }]);
    expect((await service.get(`/users/${BOB}/activity?interval=day&start=1760000000`)).json.activity).toEqual([]);
  });
});
