import { describe, expect, it } from 'vitest';
import { STAR } from '../http/support.ts';
import { panelOf } from './read-page.ts';
import { useExplorer } from './use-explorer.ts';

describe('the requests that a panel shows', () => {
  const explorer = useExplorer();

  it.each([
    ['profile', `/account/${STAR.name}`, 'Request of the profile', STAR.name],
    ['badges', `/account/${STAR.name}`, 'Request of Badges', 'Badges'],
    ['followers', `/account/${STAR.name}/followers?sort=earliest`, 'Request of Followers', 'Followers'],
    ['list', `/list/${STAR.list}`, 'Request of Records', 'Records'],
    ['activity', `/account/${STAR.name}/activity`, 'Request of Activity', 'Activity'],
    ['neighbourhood', `/account/${STAR.name}/graph`, 'Request of Neighbourhood', 'Neighbourhood'],
    ['leaderboard', '/leaderboard?sort=top8', 'Request of Accounts', 'Accounts'],
    ['home page', '/', 'Request of Latest followed', 'Latest followed'],
    ['network', '/network', 'Request of Service', 'Service'],
  ])(
    'of the %s are given as curl, as fetch that works in the page, and as JSON',
    async (_name, path, toggle, title) => {
      const page = await explorer().open(path);
      const panel = panelOf(page, title);
      await panel.getByRole('button', { name: toggle }).click();
      const forms = panel.getByRole('group', { name: 'Form of the request' });
      await forms.first().waitFor();
      const count = await forms.count();
      for (let index = 0; index < count; index++) {
        const text = panel.locator('pre').nth(index);
        const choose = (form: string) => forms.nth(index).getByRole('button', { name: form }).click();
        const curl = (await text.textContent()) ?? '';
        const [, sent, url = ''] = /^curl (?:--json '([^']*)' )?'(http:[^']*)'$/.exec(curl) ?? expect.fail(curl);
        const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: sent ?? '' };
        const answer = await fetch(url, sent === undefined ? {} : post);
        expect({ url, status: answer.status }).toEqual({ url, status: 200 });
        const expected = await answer.json();

        await choose('fetch');
        await expect.poll(() => text.textContent()).toContain(`fetch("${url}"`);
        const body = await page.evaluate(`(async () => { ${await text.textContent()}\nreturn body; })()`);
        expect(body).toEqual(expected);

        await choose('JSON');
        await expect.poll(async () => parse((await text.textContent()) ?? '')).toEqual(expected);
      }
    },
  );

  function parse(text: string): unknown {
    try {
      return JSON.parse(text);
    } catch {
      return undefined;
    }
  }

  it('can be copied', async () => {
    const page = await explorer().open('/', { permissions: ['clipboard-read', 'clipboard-write'] });
    const panel = panelOf(page, 'Use the API');
    // The example names the most followed account as soon as it is known.
    await panel.getByText(STAR.name).waitFor();
    await panel.getByRole('button', { name: 'Copy' }).click();
    await panel.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
      `curl '${explorer().service.url}/api/v1/users/${STAR.name}/details'`,
    );
  });
});
