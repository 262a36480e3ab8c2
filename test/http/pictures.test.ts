import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ANN, ANNS, annsList, BOB, bobsList, CAT, DAN, follow, logsOf } from '../model/small-history.ts';
import { anyEngine } from '../support/engines.ts';
import { loadLogs, loadProfiles, loadRanks } from '../support/load.ts';
import type { Service } from '../support/service.ts';
import { expectProblem, NOW, ServiceFixture } from './support.ts';

const AVATAR = 'https://avatars.example/ann.png?size=%20"<b>"&é';

describe.each(anyEngine)('pictures of an account', (engine) => {
  const fixture = new ServiceFixture(engine);
  let service: Service;
  beforeAll(async () => {
    const store = await fixture.open();
    await loadLogs(store, logsOf([...annsList, ...bobsList, follow(ANNS, BOB)]));
    await loadProfiles(store, [
      { address: ANN, name: 'ann.eth', avatar: AVATAR, fresh: 1 },
      { address: BOB, name: 'bob.eth', avatar: 'data:image/svg+xml,<svg/>', fresh: 1 },
      { address: DAN, name: 'dan.eth', avatar: '/demo/avatars/../中.svg', fresh: 1 },
    ]);
    await loadRanks(store, NOW * 1000);
    service = await fixture.serve(store, { sources: { profileUrl: 'https://profiles.example/of' } });
  });
  afterAll(() => fixture.close());

  it('redirect to the avatar, without a body and from the cache too', async () => {
    for (const state of ['MISS', 'HIT']) {
      const { status, headers, text } = await service.get('/users/ann.eth/ens/avatar');
      expect([status, headers.get('x-cache'), text]).toEqual([302, state, '']);
      expect(headers.get('location')).toBe(new URL(AVATAR).href);
    }
    expect((await service.get(`/users/${ANN}/ens/avatar`, { method: 'HEAD' })).status).toBe(302);
  });

  it.each([BOB, 'bob.eth', 'dan.eth', CAT])('are 404 if the avatar is missing or no web URL: %s', async (account) => {
    expectProblem(await service.get(`/users/${account}/ens/avatar`), { status: 404, code: 'no-avatar' });
  });

  it('are a QR code of the profile page that scales and has no stored text', async () => {
    const { status, headers, text } = await service.get('/users/ann.eth/qr');
    expect([status, headers.get('content-type')]).toEqual([200, 'image/svg+xml; charset=utf-8']);
    expect(text).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 \d+ \d+">(<[^<>]*>)+$/);
    expect(text.slice(0, text.indexOf('>'))).not.toMatch(/width|height/);
    expect((await service.get(`/users/${ANN}/qr`)).text).toBe(text);
    expect((await service.get(`/users/${BOB}/qr`)).text).not.toBe(text);
    const etag = headers.get('etag') ?? '';
    expect((await service.get('/users/ann.eth/qr', { headers: { 'if-none-match': etag } })).status).toBe(304);
  });

  it('are at the URL of the setting and the address', async () => {
    expect((await service.get(`/users/${CAT}/simple-profile`)).json).toEqual({
      address: CAT,
      display_name: CAT,
      avatar: '',
      followers_count: 0,
      following_count: 0,
      url: `https://profiles.example/of/${CAT}`,
    });
  });
});
