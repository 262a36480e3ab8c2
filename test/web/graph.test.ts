import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { STAR } from '../http/support.ts';
import { accountsIn, nameOf, panelOf, rowsOf } from './read-page.ts';
import { useExplorer } from './use-explorer.ts';

const PAGE = `/account/${STAR.name}`;

const pictureOn = (page: Page) => panelOf(page, 'Neighbourhood').getByRole('application');

/** A digest of a part of the pixels; null while the picture is blank, which without motion is until all nodes have their places. */
const digestOf = (page: Page): Promise<string | null> =>
  pictureOn(page).evaluate((canvas) => {
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    let digest = 0;
    for (let index = 0; index < data.length; index += 13) digest = (digest * 31 + data[index]) | 0;
    return digest === 0 ? null : String(digest);
  });

describe('the neighbourhood of an account', () => {
  const explorer = useExplorer();

  it('names the mutuals and the top8 in its list, and whom they follow among these', async () => {
    const { ask } = explorer();
    const mutuals = await ask(`/users/${STAR.address}/commonFollowers?leader=${STAR.address}&limit=1000`);
    const top8 = await ask(`/users/${STAR.address}/following?tags=top8&limit=1000&include=ens`);
    const members = new Map<string, string>([[STAR.address, STAR.name]]);
    for (const account of [...mutuals.results, ...top8.following]) members.set(account.address, nameOf(account));
    const expected: Record<string, string[]> = {};
    for (const [address, name] of members) {
      const { following } = await ask(`/users/${address}/following?limit=1000`);
      const names = following.map((entry: { address: string }) => members.get(entry.address));
      expected[name] = names.filter(Boolean).map(shown).sort();
    }

    const page = await explorer().open(PAGE);
    await panelOf(page, 'Neighbourhood').getByText('As a list').click();
    const rows = rowsOf(page, 'Accounts, and whom they follow among these');
    await rows.first().waitFor();
    const names = await accountsIn(rows);
    expect([...names].sort()).toEqual([...members.values()].sort());
    const follows: string[][] = await rows.evaluateAll((all) =>
      all.map((row) => [...row.querySelectorAll('p bdi')].map(({ textContent }) => textContent)),
    );
    const actual = Object.fromEntries(names.map((name, index) => [name, follows[index]?.sort()]));
    expect(actual).toEqual(expected);
  });

  /** A nameless account is shown by its short address. */
  const shown = (id: string): string => (id.startsWith('0x') ? `${id.slice(0, 6)}…${id.slice(-4)}` : id);

  it('opens the account that the keys N and Enter choose', async () => {
    const page = await explorer().open(PAGE, { reducedMotion: 'no-preference' });
    const panel = panelOf(page, 'Neighbourhood');
    await pictureOn(page).focus();
    // The first is the account itself.
    await pictureOn(page).press('n');
    await pictureOn(page).press('n');
    const card = panel.getByRole('status').getByRole('link');
    await expect.poll(() => accountsIn(panel.getByRole('status'))).not.toEqual([STAR.name]);
    await card.waitFor();
    const [chosen = ''] = await accountsIn(panel.getByRole('status'));
    await pictureOn(page).press('Enter');
    await page.getByRole('heading', { level: 1, name: chosen }).waitFor();
    expect(decodeURIComponent(new URL(page.url()).pathname)).toBe(`/account/${chosen}`);
  });

  it('is enlarged by the zoom button, and shown whole again', async () => {
    const page = await explorer().open(PAGE);
    const panel = panelOf(page, 'Neighbourhood');
    await pictureOn(page).waitFor();
    await expect.poll(() => digestOf(page)).not.toBeNull();
    const whole = await digestOf(page);
    for (const direction of ['in', 'out']) {
      await panel.getByRole('button', { name: `Zoom ${direction}` }).click();
      await expect.poll(() => digestOf(page)).not.toBe(whole);
      await panel.getByRole('button', { name: 'Show the whole picture' }).click();
      await expect.poll(() => digestOf(page)).toBe(whole);
    }
  });

  it('says that there is nothing to draw for an account without mutuals', async () => {
    const page = await explorer().open('/account/0x00000000000000000000000000000000000000ff');
    await panelOf(page, 'Neighbourhood').getByText('has no mutuals and no top8').waitFor();
  });
});
