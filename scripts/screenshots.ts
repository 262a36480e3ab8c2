import { fileURLToPath } from 'node:url';
import { startDemoService } from '../test/docs/demo-service.ts';
import { launchChromium } from '../test/support/launch-chromium.ts';

// Takes the picture of the explorer in README.md: npm run docs:screenshots
const FILE = fileURLToPath(new URL('../docs/images/explorer-account-light.jpg', import.meta.url));
/** Scroll bars are hidden, so no room is kept for them. */
const NO_GUTTER = 'html { scrollbar-gutter: auto !important }';

const service = await startDemoService();
const browser = await launchChromium();
try {
  // The policy of the page forbids NO_GUTTER.
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 }, colorScheme: 'light', bypassCSP: true });
  await page.goto(`${service.url}/account/ada.eth`);
  await page.waitForLoadState('networkidle');
  await page.screenshot({ path: FILE, type: 'jpeg', quality: 70, style: NO_GUTTER });
} finally {
  await browser.close();
  await service.close();
}
