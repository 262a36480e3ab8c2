import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { STAR } from '../http/support.ts';
import { accountsIn, rowsOf, searchField, sidewaysScrollOf, textOf } from './read-page.ts';
import { useExplorer } from './use-explorer.ts';

const FOLLOWERS = `/account/${STAR.name}/followers`;
const HOSTILE = `<img src=x onerror="window.hacked=1">\u202E${'w'.repeat(300)}`;

const cardOn = (page: Page) => page.getByRole('tooltip');
const linksIn = (page: Page) => rowsOf(page, 'Followers').getByRole('link');

/** The paths of the details that a page asks for. */
function detailsAskedBy(page: Page): string[] {
  const paths: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.endsWith('/details') && !pathname.includes(STAR.name)) paths.push(decodeURIComponent(pathname));
  });
  return paths;
}

describe('the card of an account', () => {
  const explorer = useExplorer();

  it('shows what the API knows when the mouse is on a name, from one request, and stays for the pointer', async () => {
    const page = await explorer().open(FOLLOWERS);
    const asked = detailsAskedBy(page);
    const link = linksIn(page).first();
    await link.hover();
    const [id = ''] = await accountsIn(rowsOf(page, 'Followers'));
    const { followers_count, following_count } = await explorer().ask(`/users/${id}/details`);
    await cardOn(page).getByText('following').waitFor();
    const text = await textOf(cardOn(page));
    expect(text).toContain(id);
    expect(text).toMatch(new RegExp(`${followers_count} followers? ${following_count} following`));
    await cardOn(page).hover();
    // A search takes longer than a pointer has for its way to the card.
    await searchField(page).fill('tink');
    await page.getByRole('listbox', { name: 'Results' }).waitFor();
    expect(await cardOn(page).isVisible()).toBe(true);
    await page.mouse.move(0, 0);
    await cardOn(page).waitFor({ state: 'hidden' });
    await link.hover();
    await cardOn(page).getByText('following').waitFor();
    expect(asked).toEqual([`/api/v1/users/${id}/details`]);
  });

  it('goes with Escape, and comes again only when the pointer does', async () => {
    const page = await explorer().open(FOLLOWERS);
    const link = linksIn(page).first();
    await link.hover();
    await cardOn(page).waitFor();
    await page.keyboard.press('Escape');
    await cardOn(page).waitFor({ state: 'hidden' });
    const accounts = await accountsIn(rowsOf(page, 'Followers'));
    await link.locator('.avatar').hover();
    await linksIn(page).nth(8).hover();
    await cardOn(page).waitFor();
    expect(await textOf(cardOn(page))).not.toContain(accounts[0]);
    await link.hover();
    await cardOn(page)
      .getByText(accounts[0] ?? '')
      .waitFor();
  });

  it('describes a link that has the focus of the keyboard, and has no finding of axe', async () => {
    const page = await explorer().open(FOLLOWERS, { bypassCSP: true });
    await linksIn(page).first().waitFor();
    await page.getByRole('button', { name: 'Skip followers' }).focus();
    await page.keyboard.press('Tab');
    await cardOn(page).getByText('following').waitFor();
    const described = page.locator('a[aria-describedby]');
    expect(await described.evaluate((link) => link.matches(':focus-visible'))).toBe(true);
    expect(await described.getAttribute('aria-describedby')).toBe(await cardOn(page).getAttribute('id'));
    await page.evaluate(axe.source);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const { violations } = (await page.evaluate('axe.run("#account-card")')) as {
        violations: { id: string; nodes: unknown[] }[];
      };
      expect(violations.map(({ id, nodes }) => [id, nodes])).toEqual([]);
    }
    await page.keyboard.press('Escape');
    await cardOn(page).waitFor({ state: 'hidden' });
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => !url.pathname.endsWith('/followers'));
  });

  it('is shown by a button on a touch screen, where a tap on the name follows the link', async () => {
    const page = await explorer().open(FOLLOWERS, {
      hasTouch: true,
      isMobile: true,
      viewport: { width: 390, height: 800 },
    });
    const row = rowsOf(page, 'Followers').nth(1);
    await row.waitFor();
    const [id = ''] = await accountsIn(row);
    await row.getByRole('button', { name: 'About' }).tap();
    await cardOn(page).getByText('following').waitFor();
    expect(await textOf(cardOn(page))).toContain(id);
    expect(await sidewaysScrollOf(page)).toBe(0);
    await row.getByRole('button', { name: 'About' }).tap();
    await cardOn(page).waitFor({ state: 'hidden' });
    await row.getByRole('link').tap();
    await page.getByRole('heading', { level: 1, name: id }).waitFor();
    expect(await cardOn(page).isVisible()).toBe(false);
  });

  it('shows hostile profiles as text, and what went wrong with others', async () => {
    const page = await explorer().open(FOLLOWERS, { viewport: { width: 320, height: 800 } });
    await linksIn(page).nth(1).waitFor();
    const [first = '', second = ''] = await accountsIn(rowsOf(page, 'Followers'));
    await page.route(`**/users/${encodeURIComponent(first)}/details`, async (route) => {
      const details = await explorer().ask(`/users/${first}/details`);
      const ens = {
        ...details.ens,
        name: HOSTILE,
        records: { ...details.ens.records, description: HOSTILE.repeat(9) },
      };
      await route.fulfill({ json: { ...details, ens } });
    });
    await page.route(`**/users/${encodeURIComponent(second)}/details`, (route) =>
      route.fulfill({ status: 400, json: { status: 400, code: 'x', title: 'x', detail: 'the reason' } }),
    );
    await linksIn(page).first().hover();
    await cardOn(page).getByText('following').waitFor();
    expect(await cardOn(page).locator('.name').textContent()).toBe(HOSTILE);
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect(await sidewaysScrollOf(page)).toBe(0);
    await linksIn(page).nth(1).hover();
    await cardOn(page).getByText('The reason.').waitFor();
  });
});
