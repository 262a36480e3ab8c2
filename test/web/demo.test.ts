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
