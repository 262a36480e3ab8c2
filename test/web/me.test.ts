import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { STAR } from '../http/support.ts';
import { accountsIn, nameOf, rowsOf, textOf } from './read-page.ts';
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
});
