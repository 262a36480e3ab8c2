import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { chromium, type Page } from 'playwright-core';
import { findChromium } from '../test/clients/find-chromium.ts';
import { startDemoService } from '../test/docs/demo-service.ts';
import { indexedPng, type Pixels } from './indexed-png.ts';

// Takes the pictures of the explorer in the documentation: npm run docs:screenshots
const FOLDER = fileURLToPath(new URL('../docs/images/', import.meta.url));
const PAGES = { home: '/', account: '/account/ada.eth?tab=following', leaderboard: '/leaderboard' };
const SIZE = { width: 1280, height: 860 };
const MAX_BYTES = 150_000;
/** Scroll bars are hidden, so no room is kept for them. */
const NO_GUTTER = 'html { scrollbar-gutter: auto !important }';
const IS_DRAWN = `(() => {
  const canvas = document.querySelector('canvas');
  return canvas?.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.some((byte) => byte !== 0);
})()`;

await mkdir(FOLDER, { recursive: true });
const service = await startDemoService();
// The demo graph names pictures that do not exist; without a network, the generated ones are shown at once.
const args = ['--no-sandbox', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'];
const browser = await chromium.launch({ executablePath: findChromium(), args });
try {
  const decoder = await browser.newPage();
  for (const colorScheme of ['light', 'dark'] as const) {
    // Without motion, the graph is drawn once its layout is final. The policy of the page forbids NO_GUTTER.
    const context = await browser.newContext({ viewport: SIZE, colorScheme, reducedMotion: 'reduce', bypassCSP: true });
    for (const [name, path] of Object.entries(PAGES)) {
      const page = await context.newPage();
      await page.goto(service.url + path);
      await page.waitForLoadState('networkidle');
      if (name === 'account') await showGraph(page);
      const png = indexedPng(await decode(decoder, await page.screenshot({ style: NO_GUTTER })));
      await page.close();
      const file = `explorer-${name}-${colorScheme}.png`;
      if (png.length > MAX_BYTES) throw new Error(`${file} has ${png.length} bytes, at most ${MAX_BYTES} are allowed`);
      await writeFile(FOLDER + file, png);
      process.stdout.write(`${file}: ${png.length} bytes\n`);
    }
    await context.close();
  }
} finally {
  await browser.close();
  await service.close();
}

/** Waits for the picture of the neighbourhood, and scrolls to the profile, as far as the bar at the top leaves it visible. */
async function showGraph(page: Page): Promise<void> {
  await page.waitForFunction(IS_DRAWN);
  await page.evaluate(`scrollBy(0, document.querySelector('h1').getBoundingClientRect().top - 142)`);
}

/** Node.js cannot read pictures, so the browser does. */
async function decode(page: Page, png: Buffer): Promise<Pixels> {
  const base64: string = await page.evaluate(`(async () => {
    const image = new Image();
    image.src = 'data:image/png;base64,${png.toString('base64')}';
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext('2d');
    context.drawImage(image, 0, 0);
    return new Uint8Array(context.getImageData(0, 0, image.width, image.height).data.buffer).toBase64();
  })()`);
  return { ...SIZE, rgba: Buffer.from(base64, 'base64') };
}
