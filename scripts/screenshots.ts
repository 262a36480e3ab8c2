import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { startDemoService } from '../test/docs/demo-service.ts';
import { launchChromium } from '../test/support/launch-chromium.ts';

// Takes the pictures of the explorer in the documentation: npm run docs:screenshots
const FOLDER = fileURLToPath(new URL('../docs/images/', import.meta.url));
const PAGES = {
  home: '/',
  account: '/account/ada.eth',
  graph: '/account/ada.eth/graph',
  leaderboard: '/leaderboard',
};
const SIZE = { width: 1280, height: 860 };
const QUALITY = 70;
/** Scroll bars are hidden, so no room is kept for them. */
const NO_GUTTER = 'html { scrollbar-gutter: auto !important }';
const IS_DRAWN = `(() => {
  const canvas = document.querySelector('canvas');
  return canvas?.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.some((byte) => byte !== 0);
})()`;

await mkdir(FOLDER, { recursive: true });
const service = await startDemoService();
const browser = await launchChromium();
try {
  for (const colorScheme of ['light', 'dark'] as const) {
    // Without motion, the graph is drawn once its layout is final. The policy of the page forbids NO_GUTTER.
    const context = await browser.newContext({ viewport: SIZE, colorScheme, reducedMotion: 'reduce', bypassCSP: true });
    for (const [name, path] of Object.entries(PAGES)) {
      const page = await context.newPage();
      await page.goto(service.url + path);
      await page.waitForLoadState('networkidle');
      if (name === 'graph') await showGraph(page);
      const file = `explorer-${name}-${colorScheme}.jpg`;
      const { length } = await page.screenshot({
        path: FOLDER + file,
        type: 'jpeg',
        quality: QUALITY,
        style: NO_GUTTER,
      });
      await page.close();
      process.stdout.write(`${file}: ${length} bytes\n`);
    }
    await context.close();
  }
} finally {
  await browser.close();
  await service.close();
}

/** Waits for the picture of the neighbourhood, and scrolls to it. */
async function showGraph(page: Page): Promise<void> {
  await page.waitForFunction(IS_DRAWN);
  await page.locator('canvas').evaluate((canvas) => canvas.scrollIntoView({ block: 'center' }));
}
