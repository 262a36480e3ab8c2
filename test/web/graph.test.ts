import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { AccountsBody } from '../../src/contract/batch-schemas.ts';
import { isolate } from '../../web/src/components/format.ts';
import { STAR } from '../http/support.ts';
import { accountsIn, nameOf, panelOf, rowsOf, textOf, textsOf } from './read-page.ts';
import { useExplorer } from './use-explorer.ts';

const PAGE = `/account/${STAR.name}/graph`;
const LIST = 'Accounts, and whom they follow among these';
const VIEWER = 'juniper.eth';
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==',
  'base64',
);

const panelOn = (page: Page) => panelOf(page, 'Neighbourhood');
const pictureOn = (page: Page) => panelOn(page).getByRole('application');

/** A digest of a part of the pixels; null while the picture is blank, which without motion is until all nodes have their places. */
const digestOf = (page: Page): Promise<string | null> =>
  pictureOn(page).evaluate((canvas) => {
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    let digest = 0;
    for (let index = 0; index < data.length; index += 13) digest = (digest * 31 + data[index]) | 0;
    return digest === 0 ? null : String(digest);
  });

async function waitForPicture(page: Page): Promise<string | null> {
  await pictureOn(page).waitFor();
  await expect.poll(() => digestOf(page)).not.toBeNull();
  return digestOf(page);
}

/** A picture that loads later changes the drawing. */
const withoutAvatars = {
  prepare: (page: Page) => page.route('**/demo/avatars/**', (route) => route.abort()),
};

/** Records the discs and names of the last drawing in `drawn`. */
const RECORD_DRAWING = `{
  const of = CanvasRenderingContext2D.prototype;
  for (const [method, record] of Object.entries({
    clearRect(context) { context.drawing = { discs: [], names: [] }; },
    arc({ drawing }, x, y, radius) { drawing?.discs.push({ x, y, radius }); },
    fillText({ drawing }, name) { drawn = drawing; drawn.names.push(name); },
  })) {
    const original = of[method];
    of[method] = function (...values) {
      record(this, ...values);
      return original.apply(this, values);
    };
  }
}`;

interface Drawing {
  readonly discs: readonly { readonly x: number; readonly y: number; readonly radius: number }[];
  readonly names: readonly string[];
}

/** Selects the first account around the centre. */
async function selectNeighbour(page: Page): Promise<string> {
  await pictureOn(page).focus();
  await pictureOn(page).press('n');
  await pictureOn(page).press('n');
  const card = panelOn(page).getByRole('status');
  await expect.poll(() => accountsIn(card)).not.toEqual([STAR.name]);
  const [chosen = ''] = await accountsIn(card);
  return chosen;
}

describe('the neighbourhood of an account', () => {
  const explorer = useExplorer();

  it('names a hundred accounts in its list, with the mutuals and the top8, and whom they follow among these', async () => {
    const { ask } = explorer();
    const { followers } = await ask(`/users/${STAR.address}/followers?limit=1000&include=ens`);
    const { following } = await ask(`/users/${STAR.address}/following?limit=1000&include=ens`);
    const page = await explorer().open(PAGE);
    await panelOn(page).getByText('As a list').click();
    const rows = rowsOf(page, LIST);
    await rows.first().waitFor();
    const [centre, ...others] = await accountsIn(rows);
    expect(centre).toBe(STAR.name);
    expect(new Set(others).size).toBe(99);
    expect([...followers, ...following].map(nameOf)).toEqual(expect.arrayContaining(others));
    const mutuals = followers.filter((follower: { is_following: boolean }) => follower.is_following);
    const top8 = following.filter(({ tags }: { tags: string[] }) => tags.includes('top8'));
    expect(others).toEqual(expect.arrayContaining([...mutuals, ...top8].map(nameOf)));

    const follows: string[][] = await rows.evaluateAll((all) =>
      all.map((row) => [...row.querySelectorAll('p .name')].map(({ textContent }) => textContent)),
    );
    for (const [index, name] of [STAR.name, ...others.slice(0, 20)].entries()) {
      const answer = await ask(`/users/${name}/following?limit=1000&include=ens`);
      const names = answer.following.map(nameOf).filter((id: string) => [STAR.name, ...others].includes(id));
      expect({ name, follows: follows[index]?.sort() }).toEqual({ name, follows: names.map(shown).sort() });
    }
  });

  /** A nameless account is shown by its short address. */
  const shown = (id: string): string => (id.startsWith('0x') ? `${id.slice(0, 6)}…${id.slice(-4)}` : id);

  it('takes four requests, which its panel shows', async () => {
    const sent: string[] = [];
    const page = await explorer().open(PAGE);
    await waitForPicture(page);
    page.on('request', (request) => sent.push(request.url()));
    await page.reload();
    await waitForPicture(page);
    const ofPicture = sent.filter((url) => /sort=followers&limit=200|\/edges\/among|\/accounts$/.test(url));
    expect(ofPicture).toHaveLength(4);
    expect(sent.some((url) => url.includes('commonFollowers'))).toBe(false);
    await panelOn(page).getByRole('button', { name: 'Request of Neighbourhood' }).click();
    const shownRequests = await panelOn(page).locator('pre').allTextContents();
    expect(shownRequests.map((text) => text.slice(0, -1).split("'").at(-1)).sort()).toEqual(ofPicture.sort());
  });

  it.each([320, 390])('names the centre, and draws no account over another one, on a phone of %s px', async (width) => {
    const viewport = { width, height: 844 };
    const prepare = (opened: Page) => opened.addInitScript(RECORD_DRAWING);
    const page = await explorer().open(PAGE, { viewport, prepare });
    await waitForPicture(page);
    const { discs, names }: Drawing = await page.evaluate('drawn');
    expect(names).toContain(isolate(STAR.name));
    expect(discs.length).toBeGreaterThan(20);
    const overlaps = discs.flatMap((a, index) =>
      discs.slice(index + 1).filter((b) => Math.hypot(a.x - b.x, a.y - b.y) < a.radius + b.radius),
    );
    expect(overlaps).toEqual([]);
  });

  it('opens the account that the keys N and Enter choose', async () => {
    const page = await explorer().open(PAGE, { reducedMotion: 'no-preference' });
    const chosen = await selectNeighbour(page);
    await pictureOn(page).press('Enter');
    await page.getByRole('heading', { level: 1, name: chosen }).waitFor();
    expect(decodeURIComponent(new URL(page.url()).pathname)).toBe(`/account/${chosen}`);
  });

  it('selects the account that is clicked, and covers no part of the picture with its card', async () => {
    const page = await explorer().open(PAGE);
    await waitForPicture(page);
    // The centre.
    await pictureOn(page).click();
    await panelOn(page).getByRole('button', { name: 'View as' }).waitFor();
    expect(await accountsIn(panelOn(page).getByRole('status'))).toEqual([STAR.name]);
    const [picture, card] = [
      await pictureOn(page).boundingBox(),
      await panelOn(page).getByRole('status').boundingBox(),
    ];
    expect(card?.y).toBeGreaterThanOrEqual((picture?.y ?? 0) + (picture?.height ?? 0));
  });

  it('is enlarged by the zoom button, and shown whole again', async () => {
    const page = await explorer().open(PAGE, withoutAvatars);
    const whole = await waitForPicture(page);
    for (const back of ['Zoom out', 'Show the whole picture']) {
      await panelOn(page).getByRole('button', { name: 'Zoom in' }).click();
      await expect.poll(() => digestOf(page)).not.toBe(whole);
      await panelOn(page).getByRole('button', { name: back }).click();
      await expect.poll(() => digestOf(page)).toBe(whole);
    }
  });

  it('is enlarged by the wheel without a click, and lets the wheel scroll the page where it is whole', async () => {
    const page = await explorer().open(PAGE, { ...withoutAvatars, viewport: { width: 1300, height: 700 } });
    const whole = await waitForPicture(page);
    await pictureOn(page).hover({ position: { x: 20, y: 20 } });
    const scrollY = () => page.evaluate('scrollY');
    const before = await scrollY();
    await page.mouse.wheel(0, -400);
    await expect.poll(() => digestOf(page)).not.toBe(whole);
    expect(await scrollY()).toBe(before);
    await page.mouse.wheel(0, 2000);
    await expect.poll(() => digestOf(page)).toBe(whole);
    expect(await scrollY()).toBe(before);
    await page.mouse.wheel(0, 120);
    await expect.poll(scrollY).not.toBe(before);
  });

  it('adds accounts that the selected one follows when it is expanded', async () => {
    const page = await explorer().open(PAGE);
    await waitForPicture(page);
    await panelOn(page).getByText('As a list').click();
    await rowsOf(page, LIST).first().waitFor();
    const before = await accountsIn(rowsOf(page, LIST));
    const chosen = await selectNeighbour(page);
    const expand = panelOn(page).getByRole('button', { name: 'Expand' });
    await expand.click();
    await expect.poll(() => rowsOf(page, LIST).count()).toBeGreaterThan(before.length);
    const added = (await accountsIn(rowsOf(page, LIST))).slice(before.length);
    expect(added.length).toBeLessThanOrEqual(20);
    const { following } = await explorer().ask(`/users/${chosen}/following?limit=1000&include=ens`);
    expect(following.map(nameOf)).toEqual(expect.arrayContaining(added));
    expect(await expand.isDisabled()).toBe(true);
  });

  it('is viewed as another account, which is in the URL', async () => {
    const page = await explorer().open(PAGE);
    const field = panelOn(page).getByLabel('View as');
    await field.fill(VIEWER);
    await field.press('Enter');
    const legend = panelOn(page).getByRole('list', { name: 'Legend' });
    await legend.getByText(`Followed by ${isolate(VIEWER)}`).waitFor();
    expect(new URL(page.url()).searchParams.get('viewer')).toBe(VIEWER);

    await page.reload();
    await panelOn(page).getByText('As a list').click();
    const [, ...others] = await accountsIn(rowsOf(page, LIST));
    const own = rowsOf(page, LIST).filter({ has: page.getByRole('link', { name: VIEWER }) });
    expect(await textsOf(own.locator('p').first())).toEqual(['The viewer']);
    const { ask } = explorer();
    const known = await ask(`/users/${VIEWER}/commonFollowers?leader=${STAR.address}&limit=1000`);
    const count = known.results.map(nameOf).filter((name: string) => others.includes(name)).length;
    expect(count).toBeGreaterThan(0);
    expect(await textOf(panelOn(page))).toContain(`${VIEWER} follows ${count} of the `);

    await panelOn(page).getByRole('button', { name: 'Stop' }).click();
    await legend.getByText(`Followed by ${isolate(STAR.name)}`).waitFor();
    expect(new URL(page.url()).searchParams.has('viewer')).toBe(false);
  });

  it('says that nobody has the name of the viewer, and keeps the picture', async () => {
    const page = await explorer().open(PAGE);
    await waitForPicture(page);
    const field = panelOn(page).getByLabel('View as');
    await field.fill('nobody-has-this-name.eth');
    await field.press('Enter');
    await panelOn(page).getByRole('alert').getByText('nobody-has-this-name.eth').waitFor();
    expect(await pictureOn(page).isVisible()).toBe(true);
    expect(await textOf(panelOn(page).getByRole('list', { name: 'Legend' }))).toContain(STAR.name);
    await page.reload();
    await panelOn(page).getByRole('button', { name: 'Stop' }).click();
    await pictureOn(page).waitFor();
  });

  it('draws the avatars of accounts, whose hosts do not learn the page', async () => {
    const referrers = new Set<string | undefined>();
    const page = await explorer().open(PAGE, {
      prepare: async (opened) => {
        await opened.route('**/api/v1/accounts*', async (route) => {
          const response = await route.fetch();
          const accounts: AccountsBody = await response.json();
          const json = accounts.map(
            (account) => account && { ...account, avatar: `https://avatars.example/${account.address}` },
          );
          await route.fulfill({ response, json });
        });
        await opened.route('https://avatars.example/**', (route) => {
          referrers.add(route.request().headers().referer);
          return route.fulfill({ contentType: 'image/png', body: PIXEL });
        });
      },
    });
    await pictureOn(page).waitFor();
    // A canvas cannot be read once it shows a picture of another origin.
    await expect.poll(() => digestOf(page).catch(String)).toMatch(/SecurityError/);
    expect([...referrers]).toEqual([undefined]);
  });
});
