import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { STAR } from '../http/support.ts';
import { nameOf, searchField, sentence, textOf } from './read-page.ts';
import { useExplorer } from './use-explorer.ts';

const TERM = 'ad';
const UNKNOWN_NAME = 'nobody-has-this-name.eth';
const UNKNOWN_LIST = '987654321';

/** The theme switch has options too. */
const optionsOn = (page: Page) => page.getByRole('listbox', { name: 'Results' }).getByRole('option');

describe('the search of the explorer', () => {
  const explorer = useExplorer();
  const matchesOf = async (term: string) => (await explorer().ask(`/leaderboard/search?term=${term}&limit=8`)).results;

  /** Addresses match only longer terms. */
  const namedLike = async (term: string) =>
    (await matchesOf(term)).filter(({ name }: { name: string }) => name.includes(term));

  it('lists the accounts that the API finds, while a term is typed', async () => {
    const page = await explorer().open('/');
    await searchField(page).pressSequentially(TERM);
    const options = optionsOn(page);
    const matches = await namedLike(TERM);
    expect(matches.length).toBeGreaterThan(1);
    await expect
      .poll(() => options.evaluateAll((links) => links.map(({ href }) => decodeURIComponent(href))))
      .toEqual(matches.map((match: never) => `${explorer().service.url}/account/${nameOf(match)}`));
    const followers = matches.map((match: { followers: string }) => new RegExp(`\\b${match.followers} followers?$`));
    for (const [index, option] of (await options.all()).entries())
      expect(await textOf(option)).toMatch(followers[index]);
  });

  it('marks the part of each name or address that matches the term', async () => {
    const page = await explorer().open('/');
    await searchField(page).fill(TERM.toUpperCase());
    const options = optionsOn(page);
    await options.first().waitFor();
    const marked = await options.evaluateAll((links) => links.map((link) => link.querySelector('mark')?.textContent));
    expect(marked).toEqual(marked.map(() => TERM));
  });

  it.each([
    ['one letter too many', (name: string) => `${name.slice(0, 2)}${name.slice(1)}`],
    ['two letters swapped', (name: string) => `${name.slice(0, 2)}${name[3]}${name[2]}${name.slice(4)}`],
  ])('marks an account as a guess whose name is typed with %s, and goes to it at the second Enter', async (_, typo) => {
    const [{ name }] = await matchesOf('tink');
    const page = await explorer().open('/');
    // Without the end of the name, which would be offered as a name to go to.
    await searchField(page).fill(typo(name).replace('.eth', ''));
    await searchField(page).press('Enter');
    const guess = optionsOn(page).and(page.getByRole('option', { selected: true }));
    await expect.poll(() => guess.count()).toBe(1);
    expect(await textOf(guess)).toMatch(new RegExp(`${name} .* Similar name `));
    expect(await textOf(page.getByRole('search').locator('[aria-live]'))).toBe(
      'No account matches, 1 has a similar name.',
    );
    expect(new URL(page.url()).pathname).toBe('/');
    await searchField(page).press('Enter');
    await page.getByRole('heading', { level: 1, name }).waitFor();
  });

  it('suggests accounts by their address from 0x or six hex digits on', async () => {
    const page = await explorer().open('/');
    const digits = STAR.address.slice(2);
    const found = () => optionsOn(page).filter({ hasText: STAR.name });
    for (const term of [`0x${digits.slice(0, 4)}`, digits.slice(0, 6)]) {
      await searchField(page).fill(term);
      await found().waitFor();
      expect(await textOf(found().locator('mark'))).toBe(term);
    }
    await searchField(page).fill(digits.slice(0, 5));
    await page.getByText('No account on the leaderboard matches.').waitFor();
  });

  it('goes to the account that the arrow keys and Enter choose', async () => {
    const page = await explorer().open('/');
    const field = searchField(page);
    await field.fill(TERM);
    await optionsOn(page).nth(2).waitFor();
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowUp']) await field.press(key);
    const [, second] = await matchesOf(TERM);
    const selected = optionsOn(page).and(page.getByRole('option', { selected: true }));
    expect(await field.getAttribute('aria-activedescendant')).toBe(await selected.getAttribute('id'));
    await field.press('Enter');
    await page.getByRole('heading', { level: 1, name: nameOf(second) }).waitFor();
    expect(decodeURIComponent(new URL(page.url()).pathname)).toBe(`/account/${nameOf(second)}`);
  });

  it('goes to the first match if Enter comes before the matches', async () => {
    const page = await explorer().open('/');
    const [first] = await matchesOf('tink');
    await searchField(page).fill('tink');
    await searchField(page).press('Enter');
    await page.getByRole('heading', { level: 1, name: nameOf(first) }).waitFor();
  });

  it.each(['/', '/leaderboard', `/account/${STAR.name}`])('is focused by the key / on %s', async (path) => {
    const page = await explorer().open(path);
    await searchField(page).waitFor();
    await page.keyboard.press('/');
    await expect.poll(() => searchField(page).evaluate((field) => field.matches(':focus'))).toBe(true);
    expect(await searchField(page).inputValue()).toBe('');
  });

  it('lets / be typed into other fields', async () => {
    const page = await explorer().open(`/account/${STAR.name}`);
    const field = page.getByLabel('Another account');
    await field.pressSequentially('a/b');
    expect(await field.inputValue()).toBe('a/b');
  });

  it('closes its results with the first Escape and clears its field with the second', async () => {
    const page = await explorer().open('/');
    const field = searchField(page);
    await field.fill(TERM);
    await optionsOn(page).first().waitFor();
    await field.press('Escape');
    await page.getByRole('listbox', { name: 'Results' }).waitFor({ state: 'detached' });
    expect(await field.inputValue()).toBe(TERM);
    await field.press('Escape');
    await expect.poll(() => field.inputValue()).toBe('');
  });

  it.each([
    ['an address', STAR.address, `/account/${STAR.address}`],
    ['an address in upper case', `0x${STAR.address.slice(2).toUpperCase()}`, `/account/${STAR.address}`],
    ['a name', STAR.name, `/account/${STAR.name}`],
    ['a list number', STAR.list, `/list/${STAR.list}`, `List #${STAR.list}`],
    ['a list number after #', `#${STAR.list}`, `/list/${STAR.list}`, `List #${STAR.list}`],
    ['a list number after the word', `list ${STAR.list}`, `/list/${STAR.list}`, `List #${STAR.list}`],
    ['a name after @', `@${STAR.name}`, `/account/${STAR.name}`],
    ['the first part of a name after @', `@${STAR.name.replace('.eth', '')}`, `/account/${STAR.name}`],
    ['a shortened address', `${STAR.address.slice(0, 6)}…${STAR.address.slice(-4)}`, `/account/${STAR.name}`],
    ['one with three dots', `${STAR.address.slice(0, 6)}...${STAR.address.slice(-4)}`, `/account/${STAR.name}`],
    ['a URL of the EFP app', `https://efp.app/${STAR.name}?topEight=true`, `/account/${STAR.name}`],
    ['one without a scheme', `efp.app/${STAR.address}`, `/account/${STAR.address}`],
    ['one of a list', `https://www.efp.app/${STAR.list}?ssr=false`, `/list/${STAR.list}`, `List #${STAR.list}`],
    ['an older one', `https://ethfollow.xyz/${STAR.name}`, `/account/${STAR.name}`],
    [
      'a URL of an explorer',
      `http://kith.example/account/${STAR.name}/followers?sort=earliest`,
      `/account/${STAR.name}`,
    ],
    ['one of a list', `http://kith.example/list/${STAR.list}`, `/list/${STAR.list}`, `List #${STAR.list}`],
  ])('leads from %s to its page', async (_kind, text, path, title = STAR.name) => {
    const page = await explorer().open('/');
    await searchField(page).fill(text);
    await searchField(page).press('Enter');
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    expect(new URL(page.url()).pathname).toBe(path);
  });

  it.each([
    ['name', UNKNOWN_NAME, `/users/${UNKNOWN_NAME}/details`],
    ['list', UNKNOWN_LIST, `/lists/${UNKNOWN_LIST}`],
  ])('ends with the message of the API for an unknown %s', async (_kind, text, path) => {
    const { json, status } = await explorer().service.get(path);
    expect(status).toBe(404);
    const page = await explorer().open('/');
    await searchField(page).fill(text);
    await searchField(page).press('Enter');
    await expect.poll(() => textOf(page.getByRole('alert'))).toBe(sentence(json.detail));
    expect(await textOf(page.getByRole('heading', { level: 1 }))).toContain(text);
  });

  it.each(['https://efp.app/leaderboard', 'https://elsewhere.example/about', 'https://efp.app/%E0%A4%A'])(
    'does not take %s for an account',
    async (text) => {
      const page = await explorer().open('/');
      await searchField(page).fill(text);
      await searchField(page).press('Enter');
      await page.getByText('No account on the leaderboard matches.').waitFor();
      expect(new URL(page.url()).pathname).toBe('/');
    },
  );

  it('suggests accounts in a field for an account, and takes the one that is chosen', async () => {
    const page = await explorer().open(`/account/${STAR.name}`);
    const field = page.getByRole('combobox', { name: 'Another account' });
    await field.fill('tink');
    const [first] = await matchesOf('tink');
    await optionsOn(page).first().waitFor();
    await field.press('ArrowDown');
    await field.press('Enter');
    await expect.poll(() => field.inputValue()).toBe(nameOf(first));
    expect(new URL(page.url()).searchParams.get('with')).toBe(nameOf(first));
  });

  it('says that nothing matches, and stays on the page', async () => {
    const page = await explorer().open('/');
    await searchField(page).fill('zzzzzzz');
    await searchField(page).press('Enter');
    await page.getByText('No account on the leaderboard matches.').waitFor();
    expect(new URL(page.url()).pathname).toBe('/');
  });
});
