import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readActivity } from '../../src/lookup/activity/activity.ts';
import type { Reader, Store } from '../../src/store/store.ts';
import { NOW, ServiceFixture } from '../http/support.ts';
import { accountMetadata } from '../model/encode-log.ts';
import { CAT, follow, logsOf, ownList, slotOf, tag } from '../model/small-history.ts';
import { engines } from '../support/engines.ts';
import { loadLogs } from '../support/load.ts';
import type { Service } from '../support/service.ts';

const ANN = `0x${'a'.repeat(40)}` as const;
const SLOT = slotOf(1n);
/** More than are looked through at once; every hundredth of another form of the same tag. */
const OPS = 2_400;
const tagOf = (i: number) => (i % 100 === 0 ? ' Rare\0' : `tag ${i % 7}`);

describe.each(engines)('activity with a tag on $name', (engine) => {
  const fixture = new ServiceFixture(engine);
  let store: Store;
  let service: Service;
  beforeAll(async () => {
    store = await fixture.open();
    const ops = Array.from({ length: OPS }, (_, i) => tag(SLOT, CAT, tagOf(i)));
    await loadLogs(store, logsOf([...ownList(ANN, 1n, SLOT), follow(SLOT, CAT), ...ops]));
    service = await fixture.serve(store, { now: () => NOW * 1000 });
  });
  afterAll(() => fixture.close());

  const path = `/users/${ANN}/activity`;
  const get = async (query: string) => {
    const { json, headers } = await service.get(`${path}${query}`);
    const [, next] = /<(.*)>/.exec(headers.get('link') ?? '') ?? [];
    return { times: json.activity.map((op: { updated_at: string }) => op.updated_at), json, next };
  };

  it('finds all forms of the tag, however far apart, and pages by cursor and by offset', async () => {
    const all = await get('?interval=all&tag=rare&limit=1000');
    expect(all.json.summary).toMatchObject({ total: OPS / 100, total_tags: OPS / 100 });
    expect(new Set(all.json.activity.map((op: { tag: string }) => op.tag))).toEqual(new Set(['rare']));
    expect(all.next).toBeUndefined();
    const seen: string[] = [];
    let pages = 0;
    for (let query: string | undefined = '?interval=all&tag=RARE&limit=7'; query !== undefined; pages += 1) {
      const { times, next } = await get(query);
      seen.push(...times);
      query = next;
    }
    expect([seen, pages]).toEqual([all.times, 4]);
    expect((await get('?interval=all&tag=rare&limit=5&offset=18')).times).toEqual(all.times.slice(18, 23));
    expect((await get('?interval=all&tag=rare&offset=24')).times).toEqual([]);
  });

  it('combines with the opcode and the interval', async () => {
    expect((await get('?interval=all&tag=rare&opcode=3')).times).toHaveLength(10);
    expect((await get('?interval=all&tag=rare&opcode=4')).times).toEqual([]);
    expect((await get('?interval=all&tag=rare&opcode=1')).times).toEqual([]);
    expect((await get('?interval=hour&tag=rare&start=1760010000')).times).toHaveLength(3);
  });

  it('is of one commit, however many are made while it is read', async () => {
    const writer = await fixture.open();
    const without = accountMetadata(ANN, 'primary-list', '0x');
    const changed = logsOf([...Array.from({ length: OPS + 10 }, () => without), without]).slice(-1);
    const changing = (reader: Reader): Reader => ({
      ...reader,
      async all(statement, params) {
        const rows = await reader.all(statement, params);
        await loadLogs(writer, changed);
        return rows;
      },
    });
    const readers = {
      ...changing(store.heavy.reader),
      snapshot: <T>(work: (reader: Reader) => Promise<T>) =>
        store.snapshots.snapshot((reader) => work(changing(reader))),
    };
    const query = { opcode: 0, interval: 'all', end: NOW, tag: 'rare', limit: 100, offset: 0, cursor: null } as const;
    const { body } = await readActivity(readers, { kind: 'account', account: ANN }, query);
    expect(body.length).toBe(OPS / 100);
    expect((await readActivity(readers, { kind: 'account', account: ANN }, query)).body.length).toBe(0);
  });
});
