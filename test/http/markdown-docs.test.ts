import { existsSync, readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anyEngine } from '../support/engines.ts';
import { anchorsOf, linksIn } from '../support/markdown-links.ts';
import { type Answer, fetchAnswer, type Service } from '../support/service.ts';
import { ServiceFixture, sendBytes } from './support.ts';

const ROOT = new URL('../../', import.meta.url);
const REPOSITORY = 'https://github.com/kith-efp/kith/blob/HEAD/';

describe.each(anyEngine)('the documentation as Markdown on $name', (engine) => {
  const fixture = new ServiceFixture(engine);
  let service: Service;
  beforeAll(async () => {
    service = await fixture.serve(await fixture.open(), { publicUrl: 'https://kith.example' });
  });
  afterAll(() => fixture.close());

  /** By the URL that people use. */
  const fetchPublic = (url: string) => fetchAnswer(url.replace('https://kith.example', service.url));

  it('is listed in /llms.txt with all pages, once, by title', async () => {
    const { headers, text } = await fetchAnswer(`${service.url}/llms.txt`);
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(text).toMatch(/^# Kith\n\n> .+/);
    expect(text.match(/^## .+$/gm)).toEqual(['## Using a Kith', '## Running a Kith', '## Optional']);
    expect(text).toContain('- [HTTP API](https://kith.example/docs/api.md): every lookup with its parameters,');
    const pages = readdirSync(new URL('docs/', ROOT)).filter((name) => name.endsWith('.md'));
    const listed = [...text.matchAll(/^- \[.+?\]\(.*?\/docs\/(.+?)\)/gm)].map(([, name]) => name);
    expect(listed.toSorted()).toEqual(pages.toSorted());
  });

  it('links only to pages, anchors and files of the repository that exist', async () => {
    const answers = new Map<string, Answer>();
    const broken: string[] = [];
    const visit = async (url: string, from: string): Promise<void> => {
      const { origin, pathname, hash } = new URL(url, from);
      const address = origin + pathname;
      if (address.startsWith(REPOSITORY)) {
        if (!existsSync(new URL(address.slice(REPOSITORY.length), ROOT))) broken.push(`${from}: ${url}`);
        return;
      }
      if (origin !== 'https://kith.example') return;
      const known = answers.get(address);
      const answer = known ?? (await fetchPublic(address));
      answers.set(address, answer);
      const isMarkdown = pathname.endsWith('.md') || pathname.endsWith('.txt');
      const isFound = answer.status === 200 && (hash === '' || anchorsOf(answer.text).includes(hash.slice(1)));
      if (!isFound) broken.push(`${from}: ${url}`);
      if (known === undefined && isMarkdown) for (const link of linksIn(answer.text)) await visit(link, address);
    };
    await visit('https://kith.example/llms.txt', 'https://kith.example/');
    expect(broken).toEqual([]);
    const types = [...answers].map(([url, { headers }]) => [url.split('.').at(-1), headers.get('content-type')]);
    expect(Object.fromEntries(types)).toEqual({
      txt: 'text/plain; charset=utf-8',
      json: 'application/json; charset=utf-8',
      md: 'text/markdown; charset=utf-8',
      js: 'text/javascript; charset=utf-8',
    });
    expect(answers.size).toBeGreaterThan(20);
  });

  it('is revalidated by its ETag', async () => {
    const url = `${service.url}/docs/agents.md`;
    const { headers } = await fetchAnswer(url);
    expect(headers.get('cache-control')).toBe('no-cache');
    const etag = headers.get('etag') ?? '';
    expect(await fetchAnswer(url, { headers: { 'if-none-match': etag } })).toMatchObject({ status: 304, text: '' });
  });

  it('has no other files of the folder or beside it', async () => {
    const paths = ['/docs/decisions/035-mcp.md', '/docs/../package.json', '/docs/%2e%2e/package.json', '/docs/.md'];
    for (const path of [...paths, '/docs/..%2fREADME.md', '/docs/recipes/../../package.json']) {
      const bytes = await sendBytes(service.url, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      expect([path, bytes.split('\r\n', 1)[0]]).toEqual([path, 'HTTP/1.1 404 Not Found']);
    }
  });
});
