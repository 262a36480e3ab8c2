import { describe, expect, it } from 'vitest';
import { anyEngine } from '../support/engines.ts';
import { ADA, ADAS_BIO, BOB, EVE, MAL, TOM, VIC } from './client-graph.ts';
import { useBrowser, type View } from './use-browser.ts';
import { useClientGraph } from './use-client-graph.ts';

const ROW_NAMES = '.profile-list-row-name';
const FAN_NAMES = Array.from({ length: 18 }, (_, i) => `fan${i + 1}.eth`);

/** Waits until the visible texts are these. */
const expectTexts = (view: View, selector: string, texts: readonly string[]) =>
  expect.poll(() => view.texts(selector)).toEqual(texts);

/** The last word of each row by its first one: name and follow button. */
const buttonsOf = async (view: View) =>
  Object.fromEntries((await view.texts('.profile-list-row')).map((row) => [row.split(' ')[0], row.split(' ').at(-1)]));

describe.each(anyEngine)('ethereum-identity-kit in Chromium on $name', (engine) => {
  const open = useBrowser(useClientGraph(engine));

  describe('for a visitor who is signed out', () => {
    it('shows name, bio, counters and badge of a profile', async () => {
      const view = await open({ view: 'profile', user: 'ada.eth', button: BOB });
      for (const [section, name, bio] of [
        ['#card', '.profile-name', '.profile-bio'],
        ['#full', '.user-profile-name', '.user-profile-bio-container'],
      ]) {
        await expectTexts(view, `${section} ${name}`, ['ada.eth']);
        await expectTexts(view, `${section} .profile-stats-item`, ['3 Following', '22 Followers']);
        expect((await view.texts(`${section} ${bio}`)).join()).toContain(ADAS_BIO);
        await expect.poll(() => view.page.locator(`${section} .efp-poaps-poap-image:visible`).count()).toBe(1);
      }
      await expectTexts(view, '#buttons button', ['Follow']);
      expect(await view.page.locator('#buttons button').isDisabled()).toBe(true);
      await view.finish('profile-signed-out');
    });

    it('pages through followers, filters them by tag and finds them by name', async () => {
      const view = await open({ view: 'lists', user: 'ada.eth' });
      const { page } = view;
      const first = ['bob.eth', 'cat.eth', 'dan.eth', 'fan1.eth', 'fan2.eth', 'tom.eth', ...FAN_NAMES.slice(2, 16)];
      await expect.poll(() => view.texts(ROW_NAMES)).toEqual(expect.arrayContaining(first));
      await page.locator('.load-more-trigger').scrollIntoViewIfNeeded();
      await expectTexts(view, ROW_NAMES, [...first, 'fan17.eth', 'fan18.eth']);

      await page.locator('.tag-toggle').click();
      await expectTexts(view, '.tag-button', ['friend 2', 'irl 1']);
      await page.locator('.tag-button[name=irl]').click();
      await expectTexts(view, ROW_NAMES, ['cat.eth']);
      await expectTexts(view, '.cart-tags-tag', ['friend', 'irl']);
      await page.locator('.tag-button[name=irl]').click();

      await page.locator('.search-trigger').click();
      await page.locator('.search-input').fill('da');
      await expectTexts(view, ROW_NAMES, ['dan.eth']);
      await view.finish('followers-signed-out');
    });

    it('shows whom an account follows, with the tags that it gave', async () => {
      const view = await open({ view: 'lists', user: ADA });
      await view.page.locator('.tab-button', { hasText: 'Following' }).click();
      await expectTexts(view, ROW_NAMES, ['bob.eth', 'cat.eth', 'vic.eth']);
      await view.page.locator('.tag-toggle').click();
      await expectTexts(view, '.tag-button', ['bff 2', 'top8 1']);
      await expectTexts(view, '.cart-tags-tag', ['bff', 'bff', 'top8']);

      await view.page.locator('.search-trigger').click();
      await view.page.locator('.search-input').fill('vic');
      await expectTexts(view, ROW_NAMES, ['vic.eth']);
      await view.finish('following-signed-out');
    });

    it('shows whom an account blocks and mutes, and who blocks it', async () => {
      const view = await open({ view: 'blocked', user: 'ada.eth' });
      await expectTexts(view, ROW_NAMES, ['mal.eth', 'tom.eth']);
      await expectTexts(view, '.tag-button', ['block 1', 'mute 1']);
      await view.page.locator('.tab-button', { hasText: 'Blocked/Muted by' }).click();
      await expectTexts(view, ROW_NAMES, ['mal.eth']);
      await expectTexts(view, '.tag-button', ['block 1', 'mute 0']);
      await view.finish('blocked-signed-out');
    });
  });

  describe('for a visitor with a connected wallet', () => {
    it('shows the state of each follow button and who follows the visitor', async () => {
      const button = [ADA, BOB, MAL, TOM];
      const view = await open({ view: 'profile', user: 'ada.eth', wallet: VIC, button });
      await expectTexts(view, '#buttons button', ['Follow', 'Following', 'Blocked', 'Muted']);
      await expectTexts(view, '#card .follow-button', ['Follow']);
      await expectTexts(view, '#full .follow-button', ['Follow']);
      await expectTexts(view, '.follower-tag', ['Follows you', 'Follows you']);
      expect(await view.page.locator('#buttons button').first().isEnabled()).toBe(true);
      await view.finish('profile-connected');
    });

    it('shows the followers whom the visitor knows', async () => {
      const view = await open({ view: 'profile', user: 'ada.eth', wallet: VIC });
      const ending = '#known .common-followers-ending-text';
      await expectTexts(view, ending, ['3 others you know follow them']);
      await view.page.locator(ending).click();
      const rows = ['bob.eth', 'cat.eth', 'dan.eth', 'fan1.eth', 'fan2.eth'].map((name) => `${name} Following`);
      await expectTexts(view, '.common-followers-modal-container .profile-list-row', rows);
      await view.finish('followers-you-know');
    });

    it('shows the state of the visitor towards each row, with two requests a row and a batch', async () => {
      const view = await open({ view: 'lists', user: 'ada.eth', wallet: VIC });
      await expect
        .poll(() => buttonsOf(view))
        .toMatchObject({
          'bob.eth': 'Following',
          'cat.eth': 'Following',
          'fan1.eth': 'Following',
          'tom.eth': 'Muted',
          'fan3.eth': 'Follow',
        });
      const isState = (path: string) => /^\/lists\/7\/0x\w+\/followerState$/.test(path);
      const isAccount = (path: string) => /^\/users\/0x\w+\/account$/.test(path);
      const pathsOf = (method: string) =>
        view.requests().flatMap((sent) => (sent.method === method ? [sent.path] : []));
      await expect.poll(() => pathsOf('GET').filter(isState).length).toBe(20);
      await expect.poll(() => pathsOf('GET').filter(isAccount).length).toBe(20);
      await view.finish('followers-connected');
      const asked = [...pathsOf('GET'), ...pathsOf('POST')];
      expect([asked.filter(isState).length, asked.filter(isAccount).length]).toEqual([20, 20]);
      expect(asked).toContain('/lists/7/buttonStateBatch');
      // Clients send a content type with GET, so the browser sends a preflight request for each path.
      expect(new Set(pathsOf('OPTIONS'))).toEqual(new Set(asked));
    });

    it('shows whom the visitor blocks and mutes as blocked and muted', async () => {
      const view = await open({ view: 'blocked', user: VIC, wallet: VIC, own: '' });
      await expect.poll(() => buttonsOf(view)).toEqual({ 'mal.eth': 'Blocked', 'tom.eth': 'Muted' });
      await view.finish('blocked-connected');
    });

    it('shows recommendations to a visitor without a list', async () => {
      const view = await open({ view: 'lists', user: EVE, wallet: EVE, own: '' });
      await expectTexts(view, '.empty-state-text', ['No followers']);
      await view.page.locator('.tab-button', { hasText: 'Following' }).click();
      await expect
        .poll(async () => (await view.texts(ROW_NAMES)).slice(0, 3))
        .toEqual(['ada.eth', 'bob.eth', 'cat.eth']);
      await view.finish('recommended');
    });

    it('shows notifications', async () => {
      const view = await open({ view: 'profile', user: ADA, wallet: ADA });
      await view.page.locator('.notifications-bell').click();
      await expect
        .poll(() => view.texts('.notification-item'))
        .toEqual(
          expect.arrayContaining([
            expect.stringMatching(/ and 21 others followed you 2h$/),
            'cat.eth tagged you with irl 2h',
            'mal.eth blocked you 2h',
          ]),
        );
      await view.finish('notifications');
    });
  });
});
