import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { STAR } from '../http/support.ts';
import { accountsIn, nameOf, rowsOf, sidewaysScrollOf, textOf } from './read-page.ts';
import { useExplorer } from './use-explorer.ts';

const FOLLOWERS = `/account/${STAR.name}/followers`;

interface State {
  readonly follow: boolean;
  readonly block: boolean;
  readonly mute: boolean;
}

/** What the page says about the edges between the visitor and an account. */
function relationOf({ state, follower_state: theirs }: { state: State; follower_state: State }): string[] {
  if (state.follow && theirs.follow) return ['Mutual with you'];
  const said = {
    'You follow': state.follow,
    'You block': state.block,
    'You mute': state.mute,
    'Follows you': theirs.follow,
    'Blocks you': theirs.block,
    'Mutes you': theirs.mute,
  };
  return Object.entries(said).flatMap(([label, is]) => (is ? [label] : []));
}

const menuOf = (page: Page) => page.getByRole('dialog', { name: /^Who are you\?$|^You are$/ });
const meButton = (page: Page) => page.getByRole('button', { name: /^Say who you are$|^You are / });

/** Says who the visitor is, with the keyboard alone. */
async function say(page: Page, text: string): Promise<void> {
  await meButton(page).press('Enter');
  const field = menuOf(page).getByLabel('Your name or address');
  await expect.poll(() => field.evaluate((input) => input.matches(':focus'))).toBe(true);
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}

describe('a visitor', () => {
  const explorer = useExplorer();

  const relationsOf = async (viewer: string, accounts: readonly string[]) => {
    const { json } = await explorer().service.get(`/accounts?viewer=${viewer}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(accounts),
    });
    return new Map<string, string[]>(json.map((account: never) => [nameOf(account), relationOf(account)]));
  };

  it('who says who they are sees in each row how the account relates to them, from one request', async () => {
    const asked: string[] = [];
    const page = await explorer().open(FOLLOWERS, {
      // Not so high that the second page of rows is loaded.
      viewport: { width: 1300, height: 700 },
      prepare: async (opened) =>
        opened.on('request', (request) => {
          if (request.method() === 'POST') asked.push(request.url());
        }),
    });
    await rowsOf(page, 'Followers').first().waitFor();
    const viewer = (await accountsIn(rowsOf(page, 'Followers')))[3] ?? '';
    await say(page, viewer);
    await menuOf(page).waitFor({ state: 'hidden' });
    const rows = rowsOf(page, 'Followers');
    const accounts = await accountsIn(rows);
    const relations = await relationsOf(viewer, accounts);
    relations.set(viewer, ['You']);
    expect(new Set([...relations.values()].flat()).size).toBeGreaterThan(2);
    await expect
      .poll(() =>
        rows.evaluateAll((all) =>
          all.map((row) => [...row.querySelectorAll('.relation')].map(({ textContent }) => textContent)),
        ),
      )
      .toEqual(accounts.map((account) => relations.get(account)));
    // The first of the two requests finds the account.
    expect(asked.map((url) => new URL(url).pathname)).toEqual(['/api/v1/accounts', '/api/v1/accounts']);
  });

  it('is the same in another tab at once and after a reload, until they are forgotten', async () => {
    const page = await explorer().open('/leaderboard');
    const other = await page.context().newPage();
    await other.goto(page.url());
    await say(page, STAR.name);
    await other.getByRole('button', { name: `You are ${STAR.name}` }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: `You are ${STAR.name}` }).click();
    expect(await menuOf(page).getByRole('link').getAttribute('href')).toBe(`/account/${STAR.name}`);
    await menuOf(page).getByRole('button', { name: 'Forget me' }).click();
    await other.getByRole('button', { name: 'Say who you are' }).waitFor();
    expect(await page.evaluate('localStorage.length')).toBe(0);
  });

  it('learns that no account has a name, and closes the question with Escape', async () => {
    const page = await explorer().open('/network');
    await say(page, 'nobody-has-this-name.eth');
    expect(await textOf(menuOf(page).getByRole('alert'))).toBe(
      'No account has the name or address “nobody-has-this-name.eth”.',
    );
    await expect
      .poll(async () => {
        await page.keyboard.press('Escape');
        return menuOf(page).isVisible();
      })
      .toBe(false);
    expect(await meButton(page).evaluate((button) => button.matches(':focus'))).toBe(true);
  });

  it('learns that relations could not be loaded, and tries again', async () => {
    const page = await explorer().open('/leaderboard');
    await say(page, STAR.name);
    await menuOf(page).waitFor({ state: 'hidden' });
    await page.route('**/accounts?viewer=*', (route) => route.abort());
    await page.reload();
    await page.getByRole('button', { name: `You are ${STAR.name}. Relations are unknown.` }).click();
    await page.unroute('**/accounts?viewer=*');
    await menuOf(page).getByRole('button', { name: 'Try again' }).click();
    await page.locator('.relation').first().waitFor();
    await page.getByRole('button', { name: `You are ${STAR.name}`, exact: true }).waitFor();
  });

  /** Opens a page of a visitor who has said who they are. */
  const openAs = async (
    viewer: string,
    path: string,
    options: Parameters<ReturnType<typeof explorer>['open']>[1] = {},
  ) => {
    const { address, ens } = await explorer().ask(`/users/${viewer}/account`);
    const me = JSON.stringify(JSON.stringify({ address, name: ens.name, avatar: ens.avatar }));
    return explorer().open(path, {
      ...options,
      prepare: (page) => page.addInitScript(`localStorage.setItem('me', ${me})`),
    });
  };
  const followerOf = async (account: string) => {
    const { followers } = await explorer().ask(`/users/${account}/followers?sort=followers&limit=1&include=ens`);
    return nameOf(followers[0]);
  };

  it('sees on the page of an account which of its followers they follow', async () => {
    const viewer = await followerOf(STAR.name);
    const { following } = await explorer().ask(`/users/${viewer}/following?limit=50&include=ens`);
    for (const followed of following) {
      const common = await explorer().ask(`/users/${viewer}/commonFollowers?leader=${followed.address}&limit=2`);
      if (common.length < 4) continue;
      const page = await openAs(viewer, `/account/${nameOf(followed)}`);
      const line = page.locator('.followed-by');
      await expect
        .poll(() => textOf(line))
        .toBe(`Followed by ${common.results.map(nameOf).join(', ')} and ${common.length - 2} others you follow`);
      await line.getByRole('link', { name: 'others' }).click();
      const all = await explorer().ask(`/users/${viewer}/commonFollowers?leader=${followed.address}&limit=50`);
      await expect.poll(() => accountsIn(rowsOf(page, 'Common followers'))).toEqual(all.results.map(nameOf));
      return;
    }
    expect.fail('no account with four common followers');
  });

  it('sees the chain of follows in both directions', async () => {
    const { results } = await explorer().ask('/leaderboard/ranked?sort=followers&direction=asc&limit=50');
    for (const { address, name } of results) {
      const viewer = name || address;
      const there = await explorer().ask(`/users/${viewer}/path/${STAR.name}`);
      if ((there.length ?? 0) < 2) continue;
      const page = await openAs(viewer, `/account/${STAR.name}`);
      const panel = page.getByRole('region', { name: 'How you are connected' });
      await expect.poll(() => accountsIn(panel.getByRole('list'))).toEqual(there.accounts.map(nameOf));
      const back = await explorer().ask(`/users/${STAR.name}/path/${viewer}`);
      await panel.getByRole('button', { name: 'To you' }).click();
      if (back.length === null) await panel.getByText(/^No chain of up to six follows leads from/).waitFor();
      else await expect.poll(() => accountsIn(panel.getByRole('list'))).toEqual(back.accounts.map(nameOf));
      return;
    }
    expect.fail('no account that is two steps away');
  });

  it.each([
    [true, /^No chain of up to six follows leads from you to/],
    [false, /^Unknown: the search for a chain/],
  ])('learns that there is no chain, or that none was found (complete: %s)', async (isComplete, text) => {
    const page = await openAs(STAR.name, '/leaderboard');
    const viewer = await followerOf(STAR.name);
    await page.route('**/path/**', (route) =>
      route.fulfill({ json: { source: '', target: '', length: null, path: [], accounts: [], isComplete } }),
    );
    await page.goto(`${explorer().service.url}/account/${viewer}`);
    await page.getByRole('region', { name: 'How you are connected' }).getByText(text).waitFor();
  });

  it.each([
    ['/leaderboard', 768],
    ['/leaderboard', 390],
    ['/', 390],
  ])('sees relations uncut and pictures in one column on %s, %i pixels wide', async (path, width) => {
    const viewer = await followerOf(STAR.name);
    const touch = width < 400 && { isMobile: true, hasTouch: true };
    const page = await openAs(viewer, path, { viewport: { width, height: 900 }, ...touch });
    const relations = page.locator('.account-name .relation');
    await relations.first().waitFor();
    const cut = await relations.evaluateAll((all) =>
      all
        .filter((label) => {
          const { right } = label.getBoundingClientRect();
          return right > label.closest('.account-name').getBoundingClientRect().right + 1;
        })
        .map((label) => label.closest('a').textContent),
    );
    expect(cut).toEqual([]);
    const pictures = page.locator(':is(.top-accounts, .ranks) .avatar');
    const lefts: number[] = await pictures.evaluateAll((all) =>
      all.map((picture) => Math.round(picture.getBoundingClientRect().left)),
    );
    expect(new Set(lefts).size).toBe(1);
  });

  it('keeps their row on the leaderboard in sight, and gets to its place among equal counts', async () => {
    const { results } = await explorer().ask('/leaderboard/ranked?sort=mutuals&limit=1000');
    const index = results.findIndex(
      ({ mutuals_rank: rank }: { mutuals_rank: string }, at: number) => at > 100 && at - Number(rank) > 20,
    );
    const viewer = nameOf(results[index]);
    const page = await openAs(viewer, '/leaderboard');
    const mine = page.getByRole('region', { name: 'Your row' });
    await expect.poll(() => textOf(mine)).toContain(`${results[index].mutuals} mutuals`);
    await mine.scrollIntoViewIfNeeded();
    const { y = 0, height = 0 } = (await mine.boundingBox()) ?? {};
    expect(Math.round(y + height)).toBeLessThanOrEqual(page.viewportSize()?.height ?? 0);
    await mine.getByRole('button', { name: 'My place' }).press('Enter');
    const row = page.getByRole('table').locator('.mine');
    await row.waitFor();
    expect(new URL(page.url()).searchParams.get('from')).toBe(`${index - 3}`);
    expect((await accountsIn(page.getByRole('table'))).slice(0, 5)).toEqual(
      results.slice(index - 3, index + 2).map(nameOf),
    );
    await expect.poll(() => row.getByRole('link').evaluate((link) => link.matches(':focus'))).toBe(true);
    await page.getByRole('link', { name: 'Show all' }).click();
    await expect.poll(async () => (await accountsIn(page.getByRole('table')))[0]).toBe(nameOf(results[0]));
  });

  it('says that they are an account on its page, and is sent to the EFP app unless the data is generated', async () => {
    const page = await explorer().open(`/account/${STAR.name}`);
    await page.getByText('Generated, not on EFP').waitFor();
    expect(await page.getByRole('link', { name: /Follow on EFP/ }).count()).toBe(0);
    await page.route('**/status', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), isDemo: false } });
    });
    await page.getByRole('button', { name: 'This is me' }).click();
    await page.getByRole('button', { name: `You are ${STAR.name}` }).waitFor();
    await page.reload();
    const link = page.getByRole('link', { name: /Follow on EFP/ });
    await link.waitFor();
    expect(await link.getAttribute('href')).toBe(`https://efp.app/${STAR.name}`);
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('with a hostile name, among others, is shown as text, with no finding of axe', async () => {
    const name = `<img src=x onerror="window.hacked=1">\u202E${'w'.repeat(300)}.eth`;
    const { address } = await explorer().ask(`/users/${await followerOf(STAR.name)}/account`);
    const accounts = [address, STAR.address].map((of) => ({ address: of, name, avatar: 'javascript:window.hacked=1' }));
    const page = await explorer().open(`/account/${STAR.name}`, {
      bypassCSP: true,
      viewport: { width: 320, height: 900 },
      prepare: async (opened) => {
        await opened.addInitScript(`localStorage.setItem('me', ${JSON.stringify(JSON.stringify(accounts[0]))})`);
        await opened.route('**/path/**', (route) =>
          route.fulfill({ json: { source: '', target: '', length: 1, path: [], accounts, isComplete: true } }),
        );
        await opened.route('**/commonFollowers?**limit=2', (route) =>
          route.fulfill({ json: { results: accounts.map((each) => ({ ...each, mutuals_rank: '1' })), length: 9 } }),
        );
      },
    });
    await page.getByRole('region', { name: 'How you are connected' }).getByText('follows').waitFor();
    await page.locator('.followed-by').getByText('7 others').waitFor();
    await page.getByRole('button', { name: /^You are / }).click();
    await menuOf(page).getByRole('combobox').fill(STAR.name.slice(0, 3));
    await menuOf(page).getByRole('option').first().waitFor();
    expect(await sidewaysScrollOf(page)).toBe(0);
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    await page.evaluate(axe.source);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const { violations } = (await page.evaluate('axe.run()')) as {
        violations: { id: string; nodes: { html: string }[] }[];
      };
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
    }
  });
});
