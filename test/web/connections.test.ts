import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { STAR } from '../http/support.ts';
import { accountsIn, nameOf, panelOf, rowsOf, scrollToEnd, textOf, textsOf } from './read-page.ts';
import { useExplorer } from './use-explorer.ts';

type Tab = 'Followers' | 'Following' | 'Mutuals';

const PAGE = `/account/${STAR.name}/followers`;
const FOLLOWING = `/account/${STAR.name}/following`;
const MUTUALS = `/account/${STAR.name}/mutuals`;
const USER = `/users/${STAR.name}`;
/** As many as the page requests at once. */
const FIRST = 50;

const shown = (page: Page, tab: Tab) => accountsIn(rowsOf(page, tab));
/** Without those of the second page, which the explorer may load at once. */
const firstShown = async (page: Page, tab: Tab) => (await shown(page, tab)).slice(0, FIRST);
const endOf = (page: Page) => page.getByText(/^The end: /);
const queryOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);
const filtersOf = (page: Page) => panelOf(page, 'Followers').or(panelOf(page, 'Following'));

describe('the connections of an account', () => {
  const explorer = useExplorer();

  /** Names of the entries of an answer with followers or following. */
  async function namesIn(path: string): Promise<string[]> {
    const { followers, following, mutuals } = await explorer().ask(path);
    return (followers ?? following ?? mutuals).map(nameOf);
  }

  it.each([
    ['follower', 'Followers', PAGE, `${USER}/followers`],
    ['account that is followed', 'Following', FOLLOWING, `${USER}/following`],
    ['mutual', 'Mutuals', MUTUALS, `${USER}/mutuals`],
    ['account that a list follows', 'Following', `/list/${STAR.list}`, `/lists/${STAR.list}/following`],
  ] as const)('load every %s exactly once by scrolling to the end', async (_kind, tab, path, lookup) => {
    const all = await namesIn(`${lookup}?limit=1000&include=ens`);
    expect(all.length).toBeGreaterThan(0);
    const page = await explorer().open(path);
    await scrollToEnd(rowsOf(page, tab), endOf(page));
    expect(await shown(page, tab)).toEqual(all);
    expect(await textOf(endOf(page))).toBe(`The end: ${all.length} shown.`);
  });

  it('continue with the cursor of each page', async () => {
    const urls: string[] = [];
    const page = await explorer().open(PAGE, {
      prepare: async (opened) => opened.on('request', (request) => urls.push(request.url())),
    });
    await scrollToEnd(rowsOf(page, 'Followers'), endOf(page));
    const next = urls.filter((url) => /\/followers\?.*\bcursor=/.test(url));
    expect(next.length).toBeGreaterThan(1);
    expect(urls.filter((url) => url.includes('offset='))).toEqual([]);
  });

  it.each([
    ['Earliest', 'earliest'],
    ['Most followed', 'followers'],
  ])('are sorted as the API sorts them by "%s"', async (label, sort) => {
    const page = await explorer().open(PAGE);
    await page.getByRole('group', { name: 'Sort' }).getByRole('button', { name: label }).click();
    const expected = await namesIn(`${USER}/followers?limit=${FIRST}&include=ens&sort=${sort}`);
    await expect.poll(() => firstShown(page, 'Followers')).toEqual(expected);
    expect(queryOf(page)).toEqual({ sort });
  });

  it('are filtered by one tag or several, with the counts of the API on the tags', async () => {
    const { tagCounts } = await explorer().ask(`${USER}/taggedAs`);
    const [first, second] = tagCounts;
    const page = await explorer().open(PAGE);
    const tags = filtersOf(page).getByRole('group', { name: 'Tags' }).getByRole('button');
    await expect
      .poll(() => textsOf(tags))
      .toEqual(tagCounts.map(({ tag, count }: { tag: string; count: number }) => `${tag} ${count}`));
    await tags.filter({ hasText: first.tag }).click();
    await expect
      .poll(() => shown(page, 'Followers'))
      .toEqual(await namesIn(`${USER}/followers?limit=${FIRST}&include=ens&tags=${first.tag}`));
    await tags.filter({ hasText: second.tag }).click();
    await expect
      .poll(() => shown(page, 'Followers'))
      .toEqual(await namesIn(`${USER}/followers?limit=${FIRST}&include=ens&tags=${first.tag},${second.tag}`));
    expect(queryOf(page)).toEqual({ tags: `${first.tag},${second.tag}` });
    await tags.filter({ hasText: 'Clear' }).click();
    await expect.poll(() => queryOf(page)).toEqual({});
  });

  it('are searched by a term, and Escape shows all of them again', async () => {
    const [some] = await namesIn(`${USER}/followers?limit=1&include=ens`);
    const term = some?.slice(0, 3) ?? '';
    const page = await explorer().open(PAGE);
    const field = filtersOf(page).getByRole('searchbox', { name: 'Search followers' });
    await field.pressSequentially(term);
    const { followers } = await explorer().ask(`${USER}/searchFollowers?term=${encodeURIComponent(term)}&limit=1000`);
    expect(followers.length).toBeGreaterThan(0);
    await expect.poll(() => firstShown(page, 'Followers')).toEqual(followers.slice(0, FIRST).map(nameOf));
    expect(queryOf(page)).toEqual({ term });
    await field.press('Escape');
    await expect.poll(() => queryOf(page)).toEqual({});
    await expect.poll(() => rowsOf(page, 'Followers').count()).toBeGreaterThanOrEqual(FIRST);
  });

  it('lead from followers to the mutuals among them, with the same order and tags, and back', async () => {
    const query = 'sort=earliest&tags=top8';
    const page = await explorer().open(`${PAGE}?${query}`);
    const followers = await namesIn(`${USER}/followers?limit=${FIRST}&include=ens&${query}`);
    const mutuals = await namesIn(`${USER}/mutuals?limit=${FIRST}&include=ens&${query}`);
    expect(mutuals.length).toBeGreaterThan(0);
    expect(mutuals.length).toBeLessThan(followers.length);
    const link = (name: string) =>
      panelOf(page, name === 'Only mutuals' ? 'Followers' : 'Mutuals').getByRole('link', { name });
    await link('Only mutuals').press('Enter');
    await expect.poll(() => shown(page, 'Mutuals')).toEqual(mutuals);
    expect(queryOf(page)).toEqual({ sort: 'earliest', tags: 'top8' });
    await link('All followers').click();
    await expect.poll(() => shown(page, 'Followers')).toEqual(followers);
  });

  it('are searched among mutuals only', async () => {
    const followers: { address: string; is_following: boolean; ens: { name: string } }[] = (
      await explorer().ask(`${USER}/searchFollowers?term=a&limit=1000`)
    ).followers;
    const matching = followers.filter(({ is_following }) => is_following);
    expect(matching.length).toBeGreaterThan(0);
    expect(matching.length).toBeLessThan(followers.length);
    const page = await explorer().open(`${MUTUALS}?term=a`);
    await endOf(page).waitFor();
    expect(await shown(page, 'Mutuals')).toEqual(matching.map(nameOf));
  });

  it('are saved as CSV, in which tags with spaces can be told apart', async () => {
    const tags = ['a b', 'a, "b"'];
    const page = await explorer().open(`${MUTUALS}?sort=earliest`, {
      prepare: (opened) =>
        opened.route('**/api/**/mutuals?*', async (route) => {
          const response = await route.fetch();
          const body = await response.json();
          body.mutuals[0].tags = tags;
          await route.fulfill({ response, json: body });
        }),
    });
    const { mutuals } = await explorer().ask(`${USER}/mutuals?limit=1000&include=ens&sort=earliest`);
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const [head, ...lines] = (await readFile(await (await saved).path(), 'utf8')).trimEnd().split('\r\n');
    expect(head).toBe('address,name,tags,updated_at,more_tags');
    expect(lines.map((line) => line.slice(0, 42))).toEqual(mutuals.map(({ address }: { address: string }) => address));
    const cell = /^[^,]*,[^,]*,"((?:[^"]|"")*)"/.exec(lines[0] ?? '')?.[1] ?? '';
    expect(JSON.parse(cell.replaceAll('""', '"'))).toEqual(tags);
  });

  it('include blocked and muted accounts if they are asked for, and mark them', async () => {
    const { following } = await explorer().ask(`${USER}/allFollowing?limit=1000&include=ens`);
    const plain = await namesIn(`${USER}/following?limit=1000&include=ens`);
    expect(following.length).toBeGreaterThan(plain.length);
    const page = await explorer().open(FOLLOWING);
    await page.getByRole('switch', { name: 'Include whom it blocks or mutes' }).check();
    await page.waitForURL(/all=1/);
    await scrollToEnd(rowsOf(page, 'Following'), endOf(page));
    await expect.poll(() => shown(page, 'Following')).toEqual(following.map(nameOf));
    const marks = async (mark: string) =>
      (await accountsIn(rowsOf(page, 'Following').filter({ has: page.getByText(mark, { exact: true }) }))).sort();
    const taggedAs = (tag: string) =>
      following
        .filter(({ tags }: { tags: string[] }) => tags.includes(tag))
        .map(nameOf)
        .sort();
    expect(await marks('blocked')).toEqual(taggedAs('block'));
    expect(await marks('muted')).toEqual(taggedAs('mute'));
  });

  it('keep sort, tags and the switch after a reload', async () => {
    const query = 'sort=earliest&tags=top8,mute&all=1';
    const page = await explorer().open(`${FOLLOWING}?${query}`);
    const expected = await namesIn(
      `${USER}/allFollowing?limit=${FIRST}&include=ens&sort=earliest&tags=${encodeURIComponent('top8,mute')}`,
    );
    expect(expected.length).toBeGreaterThan(0);
    await expect.poll(() => firstShown(page, 'Following')).toEqual(expected);
    await page.reload();
    await expect.poll(() => firstShown(page, 'Following')).toEqual(expected);
    expect(queryOf(page)).toEqual({ sort: 'earliest', tags: 'top8,mute', all: '1' });
    const pressed = filtersOf(page).locator('[aria-pressed=true]');
    expect(await textsOf(pressed)).toEqual([
      'Earliest change',
      expect.stringMatching(/^top8 /),
      expect.stringMatching(/^mute /),
    ]);
    expect(await page.getByRole('switch').isChecked()).toBe(true);
  });

  it('say that no account matches a term that is not there', async () => {
    const page = await explorer().open(`${PAGE}?term=zzzzzz`);
    await page.getByText('No account matches.', { exact: true }).waitFor();
    expect(await filtersOf(page).getByRole('searchbox').inputValue()).toBe('zzzzzz');
  });
});
