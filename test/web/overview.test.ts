import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { NOW, STAR } from '../http/support.ts';
import { accountsIn, nameOf, panelOf, rowsOf, textOf, textsOf } from './read-page.ts';
import { useExplorer } from './use-explorer.ts';

const PATH = `/account/${STAR.name}`;
const HISTORY = `/users/${STAR.address}/history`;
const DAY = 86_400;

interface Point {
  readonly time: string;
  readonly followers: number;
  readonly gained: number;
  readonly lost: number;
}

const format = new Intl.NumberFormat('en').format;
const month = new Intl.DateTimeFormat('en', { month: 'short', year: 'numeric', timeZone: 'UTC' });
const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });
const dateBefore = (days: number) => new Date((NOW - days * DAY) * 1000).toISOString().slice(0, 10);

const historyOf = (page: Page) => panelOf(page, 'Followers over time');

describe('the followers of an account over time', () => {
  const explorer = useExplorer();
  const pointsOf = async (query: string): Promise<Point[]> => (await explorer().ask(`${HISTORY}?${query}`)).points;

  it('are read from the chart with the keyboard', async () => {
    const points = await pointsOf('interval=month');
    const page = await explorer().open(PATH);
    const chart = historyOf(page);
    await chart.scrollIntoViewIfNeeded();
    const slider = chart.getByRole('slider', { name: 'Time' });
    await chart.getByRole('button', { name: 'Months' }).focus();
    await slider.waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await slider.evaluate((input) => input.matches(':focus'))).toBe(true);
    const textOfPoint = ({ time, followers, gained, lost }: Point) =>
      `${month.format(new Date(time))}: ${format(followers)} followers, ${gained} gained, ${lost} lost`;
    for (const point of points.toReversed().slice(0, 3)) {
      expect(await slider.getAttribute('aria-valuetext')).toBe(textOfPoint(point));
      await chart.getByText(textOfPoint(point), { exact: true }).waitFor();
      await page.keyboard.press('ArrowLeft');
    }
    await page.keyboard.press('Home');
    const { time } = points[0] ?? expect.fail('no points');
    await chart.getByText(`${month.format(new Date(time))}: `).waitFor();
  });

  it.each([
    ['Days', `interval=day&from=${dateBefore(90)}`, (time: Date) => day.format(time)],
    ['Weeks', `interval=week&from=${dateBefore(2 * 364)}`, (time: Date) => `Week of ${day.format(time)}`],
    ['Months', 'interval=month', (time: Date) => month.format(time)],
  ] as const)('are shown by %s as a table too', async (label, query, format) => {
    const points = await pointsOf(query);
    const page = await explorer().open(PATH);
    const chart = historyOf(page);
    await chart.scrollIntoViewIfNeeded();
    await chart.getByRole('button', { name: label }).click();
    await chart.getByRole('slider').waitFor();
    await chart.getByText('As a table').click();
    const rows = points
      .toReversed()
      .map(({ time, followers, gained, lost }) => `${format(new Date(time))} ${followers} ${gained} ${lost}`);
    await expect.poll(() => textsOf(chart.locator('tbody tr'))).toEqual(rows);
  });

  it('are loaded when the chart is seen, with the code that draws it', async () => {
    const urls: string[] = [];
    const ofChart = () => urls.filter((url) => /\/history|history-chart/.test(url)).length;
    const page = await explorer().open(PATH, {
      viewport: { width: 390, height: 500 },
      prepare: async (opened) => opened.on('request', (request) => urls.push(request.url())),
    });
    await page.getByRole('region', { name: 'About', exact: true }).getByText(`List #${STAR.list}`).waitFor();
    await page.waitForLoadState('networkidle');
    expect(ofChart()).toBe(0);
    await historyOf(page).scrollIntoViewIfNeeded();
    await historyOf(page).getByRole('slider').waitFor();
    expect(ofChart()).toBe(2);
  });
});

describe('the suggested accounts', () => {
  const explorer = useExplorer();

  it('are those that the API recommends, with the reason', async () => {
    const { recommended } = await explorer().ask(`/users/${STAR.address}/recommended?limit=5`);
    const page = await explorer().open(PATH);
    const panel = panelOf(page, 'Suggested accounts');
    await panel.scrollIntoViewIfNeeded();
    await expect.poll(() => accountsIn(rowsOf(page, 'Suggested accounts'))).toEqual(recommended.map(nameOf));
    expect(await textOf(panel)).toContain(
      `Followed by many of the accounts that ${STAR.name} follows, but not by ${STAR.name}`,
    );
  });

  it('are the most followed ones for an account that follows nobody, and are called so', async () => {
    const { results } = await explorer().ask('/leaderboard/ranked?sort=following&direction=asc&limit=1000');
    const idle = results.find(
      (member: { following: string; followers: string }) => member.following === '0' && member.followers !== '0',
    );
    const { results: most } = await explorer().ask('/leaderboard/ranked?sort=followers&limit=5');
    const page = await explorer().open(`/account/${idle.address}`);
    const panel = panelOf(page, 'Suggested accounts');
    await panel.scrollIntoViewIfNeeded();
    await panel.getByText('follows nobody, so these are the most followed accounts.').waitFor();
    await expect.poll(() => accountsIn(rowsOf(page, 'Suggested accounts'))).toEqual(most.map(nameOf));
  });
});
