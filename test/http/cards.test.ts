import { Resvg } from '@resvg/resvg-js';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { canDraw } from '../../src/http/pages/card-fonts.ts';
import { drawIdenticon } from '../../src/http/pages/identicon.ts';
import { ANN, ANNS, annsList, BOB, bobsList, CAT, follow, logsOf } from '../model/small-history.ts';
import { anyEngine } from '../support/engines.ts';
import { loadLogs, loadProfiles, loadRanks } from '../support/load.ts';
import { fetchAnswer, type Service } from '../support/service.ts';
import { expectProblem, NOW, ServiceFixture, send } from './support.ts';

/** A PNG of one red pixel. */
const RED = new Resvg(
  '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><path fill="red" d="M0 0h1v1H0z"/></svg>',
)
  .render()
  .asPng();
const RED_URL = `data:image/png;base64,${RED.toString('base64')}`;
/** The first bytes of a PNG of 100,000 x 100,000 pixels. */
const HUGE = Buffer.from('89504e470d0a1a0a0000000d49484452000186a0000186a00802000000', 'hex');
/** Those of a PNG of one pixel, and nothing that could be decoded. */
const BROKEN = Buffer.from('89504e470d0a1a0a0000000d494844520000000100000001080200000000000000', 'hex');
const ANSWERS = {
  '/red.png': () => ({ status: 200, bytes: RED }),
  '/missing.png': () => ({ status: 404, bytes: RED }),
  '/huge.png': () => ({ status: 200, bytes: HUGE }),
  '/broken.png': () => ({ status: 200, bytes: BROKEN }),
  '/page.html': () => ({ status: 200, bytes: Buffer.from('<html>') }),
  '/drawing.svg': () => ({ status: 200, bytes: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>') }),
  '/internal.png': () => {
    throw new Error('the host has a non-public address');
  },
};
const BASE = 'https://avatars.example';
const DEMO_AVATAR = 'https://kith.example/demo/avatars/ada.eth.svg';
const AVATARS = [...Object.keys(ANSWERS).map((path) => BASE + path), RED_URL, DEMO_AVATAR];
const holderOf = (avatar: string) => `0x${(AVATARS.indexOf(avatar) + 1).toString(16).padStart(40, '0')}`;

/** The colour of a point of a picture of 1200 x 630. */
function colourAt(elements: string, x: number, y: number): number[] {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630">${elements}</svg>`;
  const { pixels, width } = new Resvg(svg).render();
  const at = (y * width + x) * 4;
  return [...pixels.subarray(at, at + 3)];
}

describe.each(anyEngine)('the picture of a profile, in that for previews', (engine) => {
  const fixture = new ServiceFixture(engine);
  const fetched: string[] = [];
  let service: Service;
  beforeAll(async () => {
    const store = await fixture.open();
    await loadLogs(store, logsOf(annsList));
    await loadProfiles(
      store,
      AVATARS.map((avatar, index) => ({ address: holderOf(avatar), name: `a${index}.eth`, avatar, fresh: 1 })),
    );
    await loadRanks(store, NOW * 1000);
    service = await fixture.serve(store, {
      async fetchPicture(url) {
        fetched.push(url);
        // Safe: the avatars have these paths.
        return ANSWERS[new URL(url).pathname as keyof typeof ANSWERS]();
      },
    });
  });
  afterAll(() => fixture.close());

  /** In the middle of the picture of the profile. */
  async function colourOf(avatar: string): Promise<number[]> {
    const { status, bytes } = await send(service.url, { path: `/account/${holderOf(avatar)}/image.png` });
    expect(status).toBe(200);
    return colourAt(
      `<image href="data:image/png;base64,${bytes.toString('base64')}" width="1200" height="630"/>`,
      184,
      174,
    );
  }
  const generated = (text: string) =>
    colourAt(`<g transform="translate(80 70) scale(6.5)">${drawIdenticon(text)}</g>`, 184, 174);

  it('is fetched once, or is in the profile itself', async () => {
    for (let i = 0; i < 2; i++) expect(await colourOf(`${BASE}/red.png`)).toEqual([255, 0, 0]);
    expect(fetched.filter((url) => url.endsWith('/red.png'))).toHaveLength(1);
    expect(await colourOf(RED_URL)).toEqual([255, 0, 0]);
  });

  it('is fetched again after an hour, however often it is shown', async () => {
    const url = `${BASE}/red.png`;
    await colourOf(url);
    const count = fetched.length;
    const read = performance.now.bind(performance);
    let minutes = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => read() + minutes * 60_000);
    try {
      for (minutes = 30; minutes < 90; minutes += 25) await colourOf(url);
    } finally {
      clock.mockRestore();
    }
    expect(fetched.slice(count)).toEqual([url]);
  });

  it('is drawn for an account of a demo graph', async () => {
    expect(await colourOf(DEMO_AVATAR)).toEqual(generated('ada.eth.svg'));
    expect(fetched).not.toContain(DEMO_AVATAR);
  });

  it.each(Object.keys(ANSWERS).slice(1))('is a generated one if %s cannot be shown', async (path) => {
    expect(await colourOf(BASE + path)).toEqual(generated(holderOf(BASE + path)));
    expect(fetched).toContain(BASE + path);
  });
});

describe.each(anyEngine)('the picture of an account for previews', (engine) => {
  const fixture = new ServiceFixture(engine);
  let service: Service;
  beforeAll(async () => {
    const store = await fixture.open();
    await loadLogs(store, logsOf([...annsList, ...bobsList, follow(ANNS, BOB)]));
    await loadProfiles(store, [
      { address: ANN, name: `${'a'.repeat(240)}.eth`, fresh: 1 },
      { address: BOB, name: '🔥測試.eth', fresh: 1 },
    ]);
    await loadRanks(store, NOW * 1000);
    service = await fixture.serve(store);
  });
  afterAll(() => fixture.close());

  const picture = (account: string, headers: Record<string, string> = {}) =>
    send(service.url, { path: `/account/${account}/image.png`, headers });

  it.each([
    ['with a long name', ANN],
    ['with a name of emoji and other scripts', BOB],
    ['without a name', CAT],
  ])('is a PNG of 1200 x 630 pixels for an account %s', async (_, account) => {
    const { status, headers, bytes } = await picture(account);
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([200, 'image/png', 'no-cache']);
    expect(bytes.subarray(1, 4).toString()).toBe('PNG');
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1200, 630]);
  });

  it.each(['ada', 'Жук', 'αβγ', '🔥測試', 'さくら', 'محمد', 'नमस्ते', '１２３'])('has fonts for %s', (name) => {
    expect(canDraw(`${name}.eth`)).toBe(true);
  });

  it.each(['ไทย', '한국', '\u{1f468}\u200d\u{1f467}', '\u{10fffd}'])(
    'shows the address instead of %s, for which it has no font',
    (name) => {
      expect(canDraw(`${name}.eth`)).toBe(false);
    },
  );

  it('is the same for a name and its address, and revalidates', async () => {
    const byAddress = await picture(BOB);
    const byName = await picture(encodeURIComponent('🔥測試.eth'));
    expect(byName.bytes.equals(byAddress.bytes)).toBe(true);
    expect((await picture(CAT)).headers.etag).not.toBe(byName.headers.etag);
    const again = await picture(BOB, { 'if-none-match': String(byName.headers.etag) });
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
  });

  it('is a problem for an unknown name and for a text that is neither a name nor an address', async () => {
    const problemOf = (account: string) => fetchAnswer(`${service.url}/account/${account}/image.png`);
    expectProblem(await problemOf('nobody.eth'), { status: 404, code: 'names-not-resolved' });
    expectProblem(await problemOf('nobody'), { status: 400, code: 'invalid-parameter' });
  });

  it('is not drawn from a graph that is loaded for the first time', async () => {
    const other = new ServiceFixture(engine);
    const { url } = await other.serve(await other.open());
    const answer = await fetchAnswer(`${url}/account/${CAT}/image.png`);
    expectProblem(answer, { status: 503, code: 'unavailable' });
    expect(answer.headers.get('etag')).toBeNull();
    await other.close();
  });

  it('is drawn one after another, beside the event loop', async () => {
    const accounts = Array.from({ length: 12 }, (_, i) => `0x${i.toString(16).padStart(40, '0')}`);
    const drawing = Promise.all(accounts.map((account) => picture(account)));
    let health = 0;
    let isDrawing = true;
    void drawing.finally(() => {
      isDrawing = false;
    });
    while (isDrawing) {
      await send(service.url, { path: '/health' });
      health += 1;
    }
    expect((await drawing).map(({ status }) => status)).toEqual(accounts.map(() => 200));
    expect(health).toBeGreaterThan(accounts.length * 3);
  });

  it('counts for the rate limit', async () => {
    const limited = await fixture.serve(await fixture.open(), { limits: { rateLimit: { requests: 1, seconds: 60 } } });
    const url = `${limited.url}/account/${CAT}/image.png`;
    expect((await fetch(url)).status).toBe(200);
    const answer = await fetchAnswer(url);
    expectProblem(answer, { status: 429, code: 'rate-limited' });
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});
