import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { encode } from 'uqr';
import { describe, expect, it } from 'vitest';
import { csvLine } from '../../src/contract/csv.ts';
import { STAR } from '../http/support.ts';
import { panelOf } from './read-page.ts';
import { useExplorer } from './use-explorer.ts';

const PAGE = `/account/${STAR.name}`;

interface Entry {
  readonly address: string;
  readonly ens: { readonly name: string };
  readonly tags: readonly string[];
  readonly updated_at: string;
}

async function download(page: Page): Promise<{ name: string; text: string }> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ]);
  return { name: file.suggestedFilename(), text: readFileSync(await file.path(), 'utf8') };
}

describe('what can be shared of an account', () => {
  const explorer = useExplorer();

  it('is a link to its page, and a QR code of it', async () => {
    const page = await explorer().open(`${PAGE}/followers`, { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.getByText('Share', { exact: true }).click();
    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const url = explorer().service.url + PAGE;
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(url);
    const { data, size } = encode(url, { ecc: 'M', border: 4 });
    const code = page.getByRole('img', { name: 'QR code of this page' });
    await expect.poll(() => code.getAttribute('viewBox')).toBe(`0 0 ${size} ${size}`);
    const path = await code.locator('path').getAttribute('d');
    const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`${x} ${y}`] : [])));
    expect(path?.match(/\d+ \d+/g)).toEqual(dark);
  });

  it('is its page on other sites, unless the account is generated', async () => {
    const demo = await explorer().open(PAGE);
    await demo.getByRole('banner').getByText('Demo data').waitFor();
    await panelOf(demo, 'About').getByRole('listitem').first().waitFor();
    expect(await demo.getByRole('list', { name: 'On other sites' }).count()).toBe(0);
    const page = await explorer().open(PAGE, {
      prepare: (opened) =>
        opened.route('**/status', async (route) => {
          const response = await route.fetch();
          await route.fulfill({ response, json: { ...(await response.json()), isDemo: false } });
        }),
    });
    const links = panelOf(page, 'About').getByRole('list', { name: 'On other sites' }).getByRole('link');
    await links.first().waitFor();
    const targets = await links.evaluateAll((all) => all.map(({ text, href, rel }) => [text, href, rel]));
    expect(targets.map(([text, href]: string[]) => [text, href])).toEqual([
      ['EFP app', `https://efp.app/${STAR.name}`],
      ['ENS', `https://app.ens.domains/${STAR.name}`],
      ['Etherscan', `https://etherscan.io/address/${STAR.address}`],
      ['Basescan', `https://basescan.org/address/${STAR.address}`],
    ]);
    for (const [, , rel] of targets) expect(rel).toContain('noopener');
  });

  it.each(['followers', 'following'])('is a CSV file of all %s', async (tab) => {
    const answer = await explorer().ask(`/users/${STAR.name}/${tab}?limit=1000&include=ens`);
    const lines = answer[tab].map(({ address, ens, tags, updated_at }: Entry) =>
      csvLine([address, ens.name, JSON.stringify(tags), updated_at, '0']),
    );
    const page = await explorer().open(`${PAGE}/${tab}`);
    expect(await download(page)).toEqual({
      name: `${STAR.name}-${tab}.csv`,
      text: [csvLine(['address', 'name', 'tags', 'updated_at', 'more_tags']), ...lines].join(''),
    });
  });

  it('is a CSV file of what the filters show', async () => {
    const query = 'sort=earliest&tags=top8';
    const { followers } = await explorer().ask(`/users/${STAR.name}/followers?limit=1000&${query}`);
    const page = await explorer().open(`${PAGE}/followers?${query}`);
    const [, ...lines] = (await download(page)).text.trim().split('\r\n');
    expect(lines.map((line) => line.slice(0, 42))).toEqual(followers.map(({ address }: Entry) => address));
    expect(lines.length).toBeGreaterThan(1);
  });

  it('is not saved if the download is cancelled, and can be saved later', async () => {
    let isHeld = true;
    const page = await explorer().open(`${PAGE}/followers`, {
      prepare: (opened) => opened.route(/followers\?limit=500/, (route) => (isHeld ? undefined : route.continue())),
    });
    let files = 0;
    page.on('download', () => {
      files += 1;
    });
    await page.getByRole('button', { name: 'Download CSV' }).click();
    await page.getByText('0 loaded').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Download CSV' }).waitFor();
    expect(files).toBe(0);
    isHeld = false;
    expect((await download(page)).text).toContain('address');
  });
});
