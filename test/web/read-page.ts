import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** A part of a page with a heading. */
export const panelOf = (page: Page, title: string): Locator => page.getByRole('region', { name: title, exact: true });

export const searchField = (page: Page): Locator => page.getByRole('combobox', { name: /^Search for/ });

/** The rows of a list in a panel, without those of lists inside it. */
export const rowsOf = (page: Page, list: string): Locator =>
  page.getByRole('list', { name: list, exact: true }).locator(':scope > li');

/** The accounts that links lead to, by name or else by address, in the order of the page. */
export async function accountsIn(parts: Locator): Promise<string[]> {
  const paths = await parts
    .locator('a[href^="/account/"]')
    .evaluateAll((links: readonly { pathname: string }[]) => links.map(({ pathname }) => pathname));
  return paths.map((path) => decodeURIComponent(path.slice('/account/'.length)));
}

/** How a page refers to an account in an answer of the API. */
export const nameOf = ({ address, name, ens }: { address: string; name?: string; ens?: { name: string } }): string =>
  (ens?.name ?? name) || address;

/** Text on one line, as a person reads it. */
export async function textOf(part: Locator): Promise<string> {
  // Not textContent, which includes hidden text.
  const text = await part.innerText();
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** The detail of a problem, as a page shows it. */
export const sentence = (detail: string): string =>
  `${detail.charAt(0).toUpperCase()}${detail.slice(1).replace(/\.$/, '')}.`;

/** Scrolls to the last row, again and again, until the part that stands below a complete list is visible. */
export async function scrollToEnd(rows: Locator, end: Locator): Promise<void> {
  await expect
    .poll(async () => {
      await rows.last().scrollIntoViewIfNeeded();
      return end.isVisible();
    })
    .toBe(true);
}

/** The texts of elements, each on one line. */
export async function textsOf(parts: Locator): Promise<string[]> {
  return (await parts.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim());
}

/** How far the page can be scrolled to the side, in pixels. */
export async function sidewaysScrollOf(page: Page): Promise<number> {
  const scroll: number = await page.evaluate('scrollTo(1e6, scrollY), scrollX');
  await page.evaluate('scrollTo(0, scrollY)');
  return scroll;
}

/** The names of links that lead to different places. */
export async function ambiguousLinksOn(page: Page): Promise<string[]> {
  const links: [string, string][] = await page
    .locator('a[href]')
    .evaluateAll((all) => all.map((link) => [link.ariaLabel ?? link.textContent.trim(), link.href]));
  const places = new Map<string, Set<string>>();
  for (const [name, href] of links) places.set(name, (places.get(name) ?? new Set()).add(href));
  return [...places].filter(([, hrefs]) => hrefs.size > 1).map(([name]) => name);
}
