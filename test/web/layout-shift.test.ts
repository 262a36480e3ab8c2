import { describe, expect, it } from 'vitest';
import { STAR } from '../http/support.ts';
import { useExplorer } from './use-explorer.ts';

const PATHS = [
  '/',
  `/account/${STAR.name}`,
  `/account/${STAR.name}/followers`,
  `/account/${STAR.name}/activity`,
  '/leaderboard',
  `/list/${STAR.list}`,
];
/** Half of what Core Web Vitals call good. */
const MAX_SHIFT = 0.05;
/** Parts come one after the other. */
const SLOW = { offline: false, latency: 100, downloadThroughput: 50_000, uploadThroughput: 50_000 };
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

const OBSERVE = `
  window.shifts = [];
  new PerformanceObserver((list) => shifts.push(...list.getEntries())).observe({ type: 'layout-shift', buffered: true });
`;
/** By the second frame, the observer has been told of everything that was painted. */
const READ = `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))).then(() =>
  shifts.map(({ value, sources }) => ({ value, moved: sources.map(({ node }) => node?.className ?? node?.nodeName) })))`;

describe('on a phone with a slow connection, the explorer', () => {
  const explorer = useExplorer();

  async function expectLittleShift(path: string, script = ''): Promise<void> {
    const page = await explorer().open(path, {
      ...PHONE,
      prepare: async (opened) => {
        const network = await opened.context().newCDPSession(opened);
        await network.send('Network.enable');
        await network.send('Network.emulateNetworkConditions', SLOW);
        await opened.addInitScript(OBSERVE + script);
      },
    });
    await page.waitForLoadState('networkidle');
    const shifts: { value: number }[] = await page.evaluate(READ);
    const total = shifts.reduce((sum, { value }) => sum + value, 0);
    expect(total, JSON.stringify(shifts)).toBeLessThanOrEqual(MAX_SHIFT);
  }

  it.each(PATHS)('hardly moves what it has shown of %s', (path) => expectLittleShift(path));

  it('hardly moves what it has shown of an account to a visitor who has said who they are', async () => {
    const { followers } = await explorer().ask(`/users/${STAR.name}/followers?sort=followers&limit=1`);
    const me = JSON.stringify({ address: followers[0].address });
    await expectLittleShift(`/account/${STAR.name}`, `localStorage.setItem('me', ${JSON.stringify(me)})`);
  });
});
