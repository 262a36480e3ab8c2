import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fetchAnswer, type Service } from '../support/service.ts';
import { startDemoService } from './demo-service.ts';

const skill = readFileSync(new URL('../../skills/kith/SKILL.md', import.meta.url), 'utf8');

describe('skills/kith/SKILL.md', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startDemoService();
  });
  afterAll(() => service.close());

  it('has the front matter that agents read', () => {
    const [, name, description = ''] = /^---\nname: (.+)\ndescription: (.+)\n---\n/.exec(skill) ?? [];
    expect(name).toBe('kith');
    expect(description.length).toBeLessThanOrEqual(1024);
  });

  it('has twelve calls that the service answers', async () => {
    const calls = [...skill.matchAll(/^\| .+? \| `(POST )?(\/[^`]+)`(.*)\|$/gm)];
    expect(calls).toHaveLength(12);
    for (const [, method, path = '', more = ''] of calls) {
      const added = [...more.matchAll(/`(\w+=\w+)`/g)].map(([, parameter]) => `&${parameter}`).join('');
      const post = {
        method: 'POST',
        body: '["juniper.eth"]',
        headers: { 'content-type': 'application/json' },
      } as const;
      const { status, text } = await service.get(path + added, method === undefined ? {} : post);
      expect({ path, status, text }).toEqual({ path, status: 200, text: expect.stringMatching(/"/) });
    }
  });

  it('names paths and parameters that exist', async () => {
    for (const path of ['/llms.txt', '/openapi.json', '/ready', '/status', '/api/v1/events?account=ada.eth&until=now'])
      expect([path, (await fetchAnswer(service.url + path)).status]).toEqual([path, 200]);
    const csv = await service.get('/users/ada.eth/followers?format=csv');
    expect(csv.headers.get('content-type')).toMatch(/^text\/csv/);
  });
});
