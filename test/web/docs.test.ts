import { describe, expect, it } from 'vitest';
import { sidewaysScrollOf } from './read-page.ts';
import { useExplorer } from './use-explorer.ts';

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

describe('the documentation of the API on a phone', () => {
  const explorer = useExplorer();
  const openDocs = async () => {
    const page = await explorer().open('/docs', PHONE);
    const operations = page.locator('.opblock');
    await operations.first().waitFor();
    return { page, operations };
  };

  it('is as wide as the screen, with its search and an open operation', async () => {
    const { page, operations } = await openDocs();
    expect(await page.evaluate('innerWidth')).toBe(390);
    expect(await sidewaysScrollOf(page)).toBe(0);
    const field = await page.getByRole('main').getByRole('textbox', { name: 'Search operations' }).boundingBox();
    expect(field?.width).toBeGreaterThan(350);
    await operations.first().locator('.opblock-summary-control').click();
    await page.getByRole('button', { name: 'Execute' }).waitFor();
    expect(await sidewaysScrollOf(page)).toBe(0);
  });

  it('searches operations by path and by summary', async () => {
    const { page, operations } = await openDocs();
    const all = await operations.count();
    const field = page.getByRole('textbox', { name: 'Search operations' });
    await field.fill('no such operation');
    await expect.poll(() => operations.count()).toBe(0);
    await field.fill('LISTS badges');
    await expect.poll(() => operations.count()).toBe(1);
    expect(await operations.innerText()).toContain('Badges of the account of a list');
    await field.fill('');
    await expect.poll(() => operations.count()).toBe(all);
  });

  it('leads back to the explorer', async () => {
    const { page } = await openDocs();
    await page.getByRole('link', { name: 'Kith' }).first().click();
    await page.waitForURL(`${explorer().service.url}/`);
    await page.getByRole('combobox', { name: /^Search for/ }).waitFor();
  });
});
