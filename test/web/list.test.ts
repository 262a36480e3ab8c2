import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { STAR } from '../http/support.ts';
import { accountMetadata, listMetadata, locationBytes, storageLocation, transfer, word } from '../model/encode-log.ts';
import { ZERO_ADDRESS } from '../model/mainnet.ts';
import { follow, logsOf, slotOf, tag } from '../model/small-history.ts';
import { loadIntoDemo } from '../support/load.ts';
import { accountsIn, ambiguousLinksOn, nameOf, panelOf, rowsOf, textOf, textsOf } from './read-page.ts';
import { useExplorer } from './use-explorer.ts';

const OWNER = '0x0e00000000000000000000000000000000000001';
const MANAGER = '0x0e00000000000000000000000000000000000002';
const USER = '0x0e00000000000000000000000000000000000003';
const OTHERS = [1, 2, 3].map((last) => `0x0f0000000000000000000000000000000000000${last}` as const);

/** Lists of the same owner, each with another reason not to be a primary list. */
async function loadLists(store: Store): Promise<void> {
  const [whole, unset] = [slotOf(800_001n), slotOf(800_002n)];
  const [first = STAR.address, second = STAR.address, third = STAR.address] = OTHERS;
  await loadIntoDemo(
    store,
    logsOf([
      ...[0n, 1n, 2n, 3n].map((number) => transfer(ZERO_ADDRESS, OWNER, 800_000n + number)),
      storageLocation(800_001n, locationBytes(whole)),
      listMetadata(whole, 'user', USER),
      listMetadata(whole, 'manager', MANAGER),
      follow(whole, first),
      follow(whole, second),
      follow(whole, third),
      tag(whole, second, 'block'),
      tag(whole, third, 'mute'),
      storageLocation(800_002n, locationBytes(unset)),
      accountMetadata(USER, 'primary-list', word(800_003n)),
    ]),
  );
}

const facts = (page: Page) => panelOf(page, 'About the list');
const factOf = (page: Page, label: string) =>
  facts(page)
    .locator('dl > div')
    .filter({ hasText: new RegExp(`^${label} `) });

describe('the page of a list', () => {
  const explorer = useExplorer({ load: loadLists });

  it('shows its accounts, its place and its minting as the API has them', async () => {
    const list = await explorer().ask('/lists/800001');
    const page = await explorer().open('/list/0800001');
    await page.getByRole('heading', { level: 1, name: 'List #800001' }).waitFor();
    for (const [label, address] of [
      ['User', USER],
      ['Manager', MANAGER],
      ['Owner', OWNER],
      ['Minted to', OWNER],
    ] as const) {
      await expect.poll(() => accountsIn(factOf(page, label))).toEqual([address]);
    }
    const { chain_id, contract, slot } = list.storage_location;
    expect(await textOf(factOf(page, 'Chain'))).toBe(`Chain chain id ${chain_id} Base`);
    expect(await textOf(factOf(page, 'Contract').locator('.address'))).toBe(contract);
    const link = factOf(page, 'Contract').getByRole('link', { name: 'Basescan' });
    expect(await link.getAttribute('href')).toBe(`https://basescan.org/address/${contract}`);
    expect(BigInt(await textOf(factOf(page, 'Slot').locator('.address')))).toBe(BigInt(slot));
    expect(await textOf(factOf(page, 'Minted to'))).toContain(String(new Date(list.minted_at).getUTCFullYear()));
    expect(await page.title()).toBe('List #800001 · Kith');
    expect(await ambiguousLinksOn(page)).toEqual([]);
  });

  it('counts its records and lists whom it follows', async () => {
    const { following } = await explorer().ask('/lists/800001/following?include=ens');
    const page = await explorer().open('/list/800001');
    await expect
      .poll(() => textsOf(panelOf(page, 'Records').locator('dl > div')))
      .toEqual(['Followed 1', 'In its top 8 0', 'Blocked 1', 'Muted 1']);
    await expect.poll(() => accountsIn(rowsOf(page, 'Following'))).toEqual(following.map(nameOf));
  });

  it.each([
    [STAR.list, 'Primary list Its user has set it as its primary list'],
    ['800000', 'Not a primary list The token has no storage location'],
    ['800001', 'Not a primary list The account metadata “primary-list” of its user names another list'],
    ['800002', 'Not a primary list The metadata “user” of its slot is not set'],
  ])('says of list %s: %s', async (id, text) => {
    const page = await explorer().open(`/list/${id}`);
    await expect.poll(() => textOf(facts(page).locator('p').first())).toContain(text);
  });

  it('names the primary list of its user instead, if that is another one', async () => {
    const { results } = await explorer().ask('/leaderboard/ranked?limit=1000');
    const { other, primary } = await findOtherList(results);
    const page = await explorer().open(`/list/${other}`);
    const link = facts(page).getByRole('link', { name: `list #${primary}`, exact: true });
    await link.click();
    await page.getByRole('heading', { level: 1, name: `List #${primary}` }).waitFor();
    await facts(page).getByText('Primary list', { exact: true }).waitFor();
  });

  async function findOtherList(members: readonly { address: string }[]) {
    for (const { address } of members) {
      const { primary_list, lists } = await explorer().ask(`/users/${address}/lists`);
      for (const other of lists.filter((list: string) => list !== primary_list)) {
        const { user, primary_list_fault } = await explorer().ask(`/lists/${other}`);
        if (user === address && primary_list_fault === 'other-primary-list') return { other, primary: primary_list };
      }
    }
    throw new Error('no account of the demo graph has a second list');
  }

  it('leads from an account to its list and back', async () => {
    const page = await explorer().open(`/account/${STAR.name}`);
    await page.getByRole('link', { name: `List #${STAR.list}` }).click();
    await page.waitForURL(`**/list/${STAR.list}`);
    await factOf(page, 'User').getByRole('link', { name: STAR.name }).click();
    await panelOf(page, STAR.name).getByText(STAR.address, { exact: true }).waitFor();
  });
});
