import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { NOW, STAR } from '../http/support.ts';
import { accountsIn, nameOf, panelOf, rowsOf, textOf, textsOf } from './read-page.ts';
import { useExplorer } from './use-explorer.ts';

const PAGE = `/account/${STAR.name}/activity`;
const OVERVIEW = `/account/${STAR.name}`;
const INTERVALS = { Day: 'day', Week: 'week', Month: 'month', All: 'all' };
const OPCODES = { All: 0, Follow: 1, Unfollow: 2, Tag: 3, Untag: 4 };

interface Action {
  readonly action: string;
  readonly tag: string;
  readonly address: string;
  readonly name: string;
}

const SENTENCES: Record<string, (tag: string) => string> = {
  follow: () => `followed ${STAR.name}`,
  unfollow: () => `unfollowed ${STAR.name}`,
  tag: (tag) => `tagged ${STAR.name} with ${tag}`,
  untag: (tag) => `removed the tag ${tag} from ${STAR.name}`,
};

/** The same on the page of who did it. */
const DONE: Record<string, (tag: string) => string> = {
  follow: () => `followed by ${STAR.name}`,
  unfollow: () => `unfollowed by ${STAR.name}`,
  tag: (tag) => `tagged with ${tag} by ${STAR.name}`,
  untag: (tag) => `no longer tagged with ${tag} by ${STAR.name}`,
};

const actionsOn = (page: Page) => rowsOf(page, 'Activity by day').locator('ol > li');

/** Each action as "account sentence". */
async function sentencesOn(page: Page): Promise<string[]> {
  const texts: string[] = await actionsOn(page)
    .locator('p')
    .evaluateAll((parts) => parts.map(({ textContent }) => textContent));
  const accounts = await accountsIn(actionsOn(page));
  return texts.map((text, index) => `${accounts[index]} ${text}`);
}

describe('the activity around an account', () => {
  const explorer = useExplorer();

  it.each([
    ['All', 'All'],
    ['Follow', 'Month'],
    ['Unfollow', 'All'],
    ['Tag', 'Week'],
    ['Untag', 'Day'],
  ] as const)('of kind %s in the interval %s are those of the API', async (kind, interval) => {
    const { notifications } = await explorer().ask(
      `/users/${STAR.address}/notifications?opcode=${OPCODES[kind]}&interval=${INTERVALS[interval]}&start=${NOW}&limit=1000`,
    );
    expect(notifications.length).toBeGreaterThan(0);
    const page = await explorer().open(PAGE);
    const panel = panelOf(page, 'Activity');
    await panel.getByRole('group', { name: 'Kind' }).getByRole('button', { name: kind, exact: true }).click();
    await panel.getByRole('group', { name: 'Interval' }).getByRole('button', { name: interval, exact: true }).click();
    await expect
      .poll(async () => {
        await actionsOn(page).last().scrollIntoViewIfNeeded();
        return actionsOn(page).count();
      })
      .toBe(notifications.length);
    expect(await sentencesOn(page)).toEqual(
      notifications.map((entry: Action) => `${nameOf(entry)} ${SENTENCES[entry.action]?.(entry.tag)}`),
    );
  });

  it('that it did are those of the API, in both directions', async () => {
    const { activity } = await explorer().ask(`/users/${STAR.address}/activity?interval=all&limit=50`);
    expect(activity.length).toBeGreaterThan(0);
    const page = await explorer().open(PAGE);
    const directions = panelOf(page, 'Activity').getByRole('group', { name: 'Direction' });
    expect(await textsOf(directions.getByRole('button'))).toEqual(['Received', 'Done']);
    await directions.getByRole('button', { name: 'Done' }).click();
    await expect
      .poll(() => sentencesOn(page))
      .toEqual(activity.map((entry: Action) => `${nameOf(entry)} ${DONE[entry.action]?.(entry.tag)}`));
    await page.reload();
    await expect.poll(() => actionsOn(page).count()).toBe(activity.length);
    expect(new URL(page.url()).searchParams.get('direction')).toBe('done');
  });

  it('of those whom the visitor follows are on the page of the visitor', async () => {
    const { results } = await explorer().ask('/leaderboard/ranked?sort=following&limit=1');
    const [me] = results;
    const followed: string[] = await explorer().ask(`/users/${me.address}/allFollowingAddresses`);
    const { events } = await explorer().ask(`/events?last=1000&role=source&account=${followed.slice(0, 100)}`);
    const page = await explorer().open(`/account/${me.address}/activity`, {
      prepare: (opened) => opened.addInitScript(`localStorage.setItem('me', '${JSON.stringify(me)}')`),
    });
    const panel = panelOf(page, 'Activity');
    await panel.getByRole('button', { name: 'Whom I follow' }).click();
    const rows = rowsOf(page, 'Activity');
    await rows.first().waitFor();
    const newest = events.findLast(({ target }: { target?: string }) => target !== undefined);
    expect((await accountsIn(rows))[0]).toBe(nameOf({ ...newest, address: newest.account }));
    const sources = await accountsIn(rows.locator('a:first-child'));
    const { following } = await explorer().ask(`/users/${me.address}/following?limit=1000&include=ens`);
    expect(following.map(nameOf)).toEqual(expect.arrayContaining([...new Set(sources)]));
  });

  it('are shown for an account that has no followers any more and follows nobody', async () => {
    const page = await explorer().open(PAGE, {
      prepare: (opened) =>
        opened.route(/\/details$/, async (route) => {
          const response = await route.fetch();
          const json = { ...(await response.json()), followers_count: 0, following_count: 0 };
          await route.fulfill({ response, json });
        }),
    });
    await actionsOn(page).first().waitFor();
    await panelOf(page, STAR.name).getByRole('link', { name: 'Followers: 0' }).waitFor();
    expect(await actionsOn(page).count()).toBeGreaterThan(0);
  });

  it('are counted by kind beside the histogram', async () => {
    const { notifications } = await explorer().ask(
      `/users/${STAR.address}/notifications?interval=month&start=${NOW}&limit=1000`,
    );
    const count = (action: string) => notifications.filter((entry: Action) => entry.action === action).length;
    const page = await explorer().open(PAGE);
    const panel = panelOf(page, 'Activity');
    await panel.getByRole('group', { name: 'Interval' }).getByRole('button', { name: 'Month' }).click();
    const legend = panel.locator('figcaption li');
    await expect
      .poll(() => legend.allInnerTexts())
      .toEqual([
        `${count('follow')} follows`,
        `${count('tag')} tags`,
        `${count('untag')} untags`,
        `${count('unfollow')} unfollows`,
      ]);
    await panel.getByRole('img', { name: `All ${notifications.length} actions of the last 30 days.` }).waitFor();
  });
});

describe('the common followers of two accounts', () => {
  const explorer = useExplorer();

  it('are those of the API, and the other account is in the URL', async () => {
    const { results } = await explorer().ask('/leaderboard/ranked?sort=followers&limit=20');
    const other = results.find(({ name }: { name: string }) => name !== '' && name !== STAR.name).name;
    const common = await explorer().ask(`/users/${other}/commonFollowers?leader=${STAR.address}&limit=1000`);
    expect(common.results.length).toBeGreaterThan(0);
    const page = await explorer().open(OVERVIEW);
    const panel = panelOf(page, 'Common followers');
    await panel.getByLabel('Another account').fill(other);
    await panel.getByRole('button', { name: 'Compare' }).click();
    await expect.poll(() => accountsIn(rowsOf(page, 'Common followers'))).toEqual(common.results.map(nameOf));
    expect(await textOf(panel.getByRole('status').first())).toMatch(
      new RegExp(`^${common.length} followers? of ${STAR.name} (is|are) followed by ${other}\\.`),
    );
    expect(new URL(page.url()).searchParams.get('with')).toBe(other);
    await page.reload();
    await expect.poll(() => accountsIn(rowsOf(page, 'Common followers'))).toEqual(common.results.map(nameOf));
  });

  it('are not looked for with a name that nobody has', async () => {
    const page = await explorer().open(`${OVERVIEW}?with=nobody-has-this-name.eth`);
    const problem = panelOf(page, 'Common followers').getByRole('alert');
    await expect.poll(() => textOf(problem)).toBe('No account has the name “nobody-has-this-name.eth”.');
  });
});
