import { describe, expect, it } from 'vitest';
import { STAR } from '../http/support.ts';
import { useExplorer } from './use-explorer.ts';

const PATHS = ['/', '/leaderboard', '/network', `/account/${STAR.name}/graph`];

describe('the links of the explorer', () => {
  const explorer = useExplorer();

  it.each(PATHS)('on %s lead to the same page if they have the same name', async (path) => {
    const page = await explorer().open(path);
    await page.waitForLoadState('networkidle');
    const links: [name: string, target: string][] = await page
      .locator('a[href]')
      .evaluateAll((all) =>
        all.map((link) => [link.ariaLabel ?? link.textContent.replaceAll(/\s+/g, ' ').trim(), link.href]),
      );
    expect(links.length).toBeGreaterThan(5);
    expect(links.filter(([name]) => name === '')).toEqual([]);
    const targets = new Map(links);
    expect(links.filter(([name, target]) => targets.get(name) !== target)).toEqual([]);
  });
});
