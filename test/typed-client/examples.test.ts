import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startDemoService } from '../docs/demo-service.ts';
import type { Service } from '../support/service.ts';
import * as examples from './examples.ts';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
/** Without indentation and exports, which differ between the page and the file. */
const plain = (text: string) =>
  text
    .replace(/^ +/gm, '')
    .replace(/^export /gm, '')
    .trim();

const pages = ['docs/client.md', 'packages/client/README.md'];
const code = plain(read('examples.ts')).replaceAll('../../packages/client/src/client.ts', '@kith-efp/client');
const blocksOf = (page: string) =>
  [...read(`../../${page}`).matchAll(/^```ts\n(.*?)^```/gms)].map(([, block = '']) => plain(block));

describe('the documentation of the client', () => {
  let service: Service;
  const requested: string[] = [];

  beforeAll(async () => {
    service = await startDemoService();
    const { fetch } = globalThis;
    vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
      requested.push(url);
      return fetch(url.replace('http://127.0.0.1:3000', service.url), init);
    });
  });
  afterAll(async () => {
    vi.unstubAllGlobals();
    await service.close();
  });

  it.each(pages)('has code in %s that is in the examples that are tested here', (page) => {
    const parts = blocksOf(page).flatMap((block) => block.split(/\n\n/));
    expect(parts).not.toEqual([]);
    for (const part of parts) expect(code).toContain(part);
  });

  it('shows the newest followers', async () => {
    const lines = await examples.showFollowers();
    expect(lines).toHaveLength(5);
    for (const line of lines) expect(line).toMatch(/^\S+ \S* ?(true|false)$/);
  });

  it('shows the state of a followed account, and none of an unknown name', async () => {
    const [first = '', second] = await examples.showStates();
    expect(first).toMatch(/^0x[0-9a-f]{40} true$/);
    expect(second).toBe('unclaimed.eth ');
  });

  it('counts among all followers', async () => {
    const { followers_count } = await examples.kith.get('/users/{addressOrENS}/stats', { addressOrENS: 'ada.eth' });
    const followed = await examples.countFollowers();
    expect(followed).toBeGreaterThan(0);
    expect(followed).toBeLessThanOrEqual(followers_count);
  });

  it('shows new followers until it is aborted', async () => {
    const controller = new AbortController();
    const lines: string[] = [];
    const log = (...words: unknown[]) => {
      lines.push(words.join(' '));
      if (lines.length === 5) controller.abort();
    };
    await examples.watchFollowers(controller.signal, { log });
    expect(lines).toHaveLength(5);
    for (const line of lines) expect(line).toMatch(/^\S+ (un)?follow 20\S+Z$/);
  });

  it('applies all events, and goes on after the stored position', async () => {
    const take = async (stored: string | undefined, count: number) => {
      const controller = new AbortController();
      const ids: string[] = [];
      let position = stored;
      const apply = async ({ id }: { readonly id: string }) => void ids.push(id);
      const save = async (id: string) => {
        position = id;
        if (ids.length === count) controller.abort();
      };
      await examples.applyAll(stored, controller.signal, apply, save);
      expect(position).toBe(ids.at(-1));
      return ids;
    };
    const first = await take(undefined, 10);
    expect([...first, ...(await take(first.at(-1), 10))]).toEqual(await take(undefined, 20));
  });

  it('tells an unknown name from other errors', async () => {
    expect(await examples.findAccount('ada.eth')).toMatch(/^0x/);
    expect(await examples.findAccount('nobody.eth')).toBe(null);
    await expect(examples.findAccount('nobody')).rejects.toMatchObject({ code: 'invalid-parameter' });
  });

  it('fetches with React Query, by the URL as the key', async () => {
    const query = examples.followersQuery('ada.eth');
    const { followers } = await examples.queryClient.fetchQuery(query);
    expect(followers).toHaveLength(20);
    expect(query.queryKey).toEqual([requested.at(-1)]);
    examples.queryClient.clear();
  });
});
