import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fetchAnswer, type Service } from '../support/service.ts';
import { startDemoService } from './demo-service.ts';

const page = readFileSync(new URL('../../docs/tasks.md', import.meta.url), 'utf8');
const CALL =
  /^\| (?<task>\S.*?) +\| `curl (?<options>-N |--json '(?<body>[^']*)' )?"?http:\/\/127\.0\.0\.1:3000(?<path>\/[^"`]+)"?` +\|$/;

const tasks = page.split('\n').flatMap((line) => {
  if (!line.includes('`curl ')) return [];
  const { task, options, body, path } = CALL.exec(line)?.groups ?? {};
  if (task === undefined || path === undefined) throw new Error(`not a task with a call: ${line}`);
  return [{ task, path, body, isStream: options === '-N ' }];
});

describe('docs/tasks.md', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startDemoService();
  });
  afterAll(() => service.close());

  it('has more than twenty calls', () => {
    expect(tasks.length).toBeGreaterThan(20);
  });

  it.each(tasks)('gets what "$task" asks for from $path', async ({ path, body, isStream }) => {
    if (isStream) {
      const ending = new AbortController();
      const response = await fetch(`${service.url}${path}`, { signal: ending.signal });
      expect(response.status).toBe(200);
      const { value } = (await response.body?.getReader().read()) ?? {};
      expect(Buffer.from(value ?? []).toString()).toMatch(/^id: \S+$/m);
      ending.abort();
      return;
    }
    const init = { method: 'POST', headers: { 'content-type': 'application/json' } };
    const { status, text, json } = await fetchAnswer(
      `${service.url}${path}`,
      body === undefined ? undefined : { ...init, body },
    );
    expect({ status, text }).toEqual({ status: 200, text: expect.stringMatching(/^(?!\[\]|\{\}).{10}/s) });
    // Something is found: no list in the answer is empty.
    const lists = Object.entries(json ?? {}).filter(([name, value]) => Array.isArray(value) && name !== 'tags');
    for (const [name, entries] of lists) expect({ name, entries }).not.toEqual({ name, entries: [] });
  });
});
