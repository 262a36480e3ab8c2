import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Service } from '../support/service.ts';
import { startDemoService } from './demo-service.ts';
import { answerOf, findExamples, updateExamples, withoutTimes } from './examples.ts';
import { EXAMPLES_TIME } from './operation-examples.ts';

const readPage = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

describe('examples in the documentation', () => {
  let service: Service;

  beforeAll(async () => {
    service = await startDemoService(() => EXAMPLES_TIME);
  });
  afterAll(() => service.close());

  describe.each(['README.md', 'docs/api.md'])('%s', (page) => {
    const examples = findExamples(readPage(page)).flatMap(({ requests, answer }) =>
      requests.map((request) => ({ ...request, request, answer })),
    );

    it('has at least one example', () => {
      expect(examples).not.toEqual([]);
    });

    it.each(examples)('shows the answer of the demo graph to $path, except for times', async ({ request, answer }) => {
      expect(withoutTimes(await answerOf(service, request))).toEqual(withoutTimes(JSON.parse(answer)));
    });
  });
});

describe('findExamples', () => {
  it('finds the path and the body of each command', () => {
    const commands = [
      'curl http://127.0.0.1:3000/api/v1/a',
      'curl "http://127.0.0.1:3000/api/v1/a?limit=1&offset=2"',
      `curl --json '["b", null]' http://127.0.0.1:3000/api/v1/a`,
    ];
    const [shown] = findExamples(`\`\`\`sh\n${commands.join('\n')}\n\`\`\`\n\n\`\`\`json\n{}\n\`\`\`\n`);
    expect(shown?.requests).toEqual([
      { path: '/a' },
      { path: '/a?limit=1&offset=2' },
      { path: '/a', body: '["b", null]' },
    ]);
  });
});

describe('updateExamples', () => {
  const page = (answer: string) =>
    `Text.\n\n\`\`\`sh\ncurl http://127.0.0.1:3000/api/v1/a\n\`\`\`\n\n\`\`\`json\n${answer}\`\`\`\n\nMore.\n`;

  it('replaces an answer that differs and keeps the rest of the page', async () => {
    const updated = await updateExamples(page('{ "old": 1 }\n'), async () => ({ tags: ['a', 'b'] }));
    expect(updated).toBe(page('{\n  "tags": ["a", "b"]\n}\n'));
  });

  it('keeps an answer that differs only in its times', async () => {
    const shown = page('{ "updated_at": "2026-01-01T00:00:00.000Z" }\n');
    expect(await updateExamples(shown, async () => ({ updated_at: '2027-01-01T00:00:00.000Z' }))).toBe(shown);
  });
});
