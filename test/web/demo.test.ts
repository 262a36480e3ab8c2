import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { STAR } from '../http/support.ts';
import { useExplorer } from './use-explorer.ts';

const PATHS = ['/', `/account/${STAR.name}`, '/leaderboard', '/network'];

describe('the explorer of a demo database', () => {
  const explorer = useExplorer();

  it.each(PATHS)('says on %s that the data is generated', async (path) => {
    const page = await explorer().open(path);
    await page.getByRole('banner').getByText('Demo data').waitFor();
    await page.getByRole('contentinfo').getByText('no account is real').waitFor();
  });

  it.each([
    ['/', 320],
    ['/', 390],
    ['/leaderboard', 320],
    ['/leaderboard', 390],
  ])('says so below everything in the header of %s at %i px, and above the content', async (path, width) => {
    const page = await explorer().open(path, { viewport: { width, height: 800 } });
    const header = page.getByRole('banner');
    await header.getByText('Demo data').waitFor();
    const boxOf = async (part: Locator) => (await part.boundingBox()) ?? expect.fail('not visible');
    const chip = await boxOf(header.getByText('Demo data'));
    const content = await boxOf(page.getByRole('main').locator('h1'));
    expect(chip.y + chip.height).toBeLessThanOrEqual(content.y);
    for (const part of await header.locator('a, input').all()) {
      const { y, height } = await boxOf(part);
      expect(chip.y).toBeGreaterThanOrEqual(y + height);
    }
  });

  it.each(['/', `/account/${STAR.name}`, '/leaderboard'])(
    'loads everything on %s from the service, without an error in the console',
    async (path) => {
      const failures: string[] = [];
      const pictures: string[] = [];
      const page = await explorer().open(path, {
        prepare: async (opened) => {
          opened.on('console', (message) => message.type() === 'error' && failures.push(message.text()));
          opened.on('requestfailed', (request) => failures.push(request.url()));
          opened.on('response', (response) => {
            if (response.status() >= 400) failures.push(response.url());
            if (response.request().resourceType() === 'image') pictures.push(new URL(response.url()).pathname);
          });
        },
      });
      await page.getByRole('contentinfo').scrollIntoViewIfNeeded();
      await page.waitForLoadState('networkidle');
      await expect.poll(() => pictures.filter((picture) => picture.startsWith('/demo/')).length).toBeGreaterThan(3);
      expect(failures).toEqual([]);
    },
  );

  it('does not say so of other data', async () => {
    const page = await explorer().open('/', {
      prepare: (opened) =>
        opened.route('**/status', async (route) => {
          const response = await route.fetch();
          await route.fulfill({ response, json: { ...(await response.json()), isDemo: false } });
        }),
    });
    await page.getByRole('contentinfo').getByText('read from its logs').waitFor();
    expect(await page.getByText('Demo data').count()).toBe(0);
  });
});
