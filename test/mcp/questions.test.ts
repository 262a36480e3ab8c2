import { readFileSync } from 'node:fs';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectHttp, connectStdio, type Demo, startDemo } from './demo.ts';

const page = readFileSync(new URL('../../docs/agents.md', import.meta.url), 'utf8');

const rowsOf = (title: string) => {
  const section = page.split(/^## /m).find((text) => text.startsWith(`${title}\n`)) ?? '';
  const rows = section.split('\n').filter((line) => /^\| (?!-)/.test(line));
  return rows.slice(1).map((row) =>
    row
      .slice(1, -1)
      .split(' | ')
      .map((cell) => cell.trim().replace(/^`|`$/g, '')),
  );
};
const questions = rowsOf('Twenty questions').map(([question = '', tool = '', args = '', lookup = '']) => ({
  ...{ question, tool, lookup },
  args: JSON.parse(args),
}));

/** The value of a property, which may be inside other objects. */
function find(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const object = value as Record<string, unknown>;
  if (Object.hasOwn(object, name)) return object[name];
  return Object.values(object)
    .map((inner) => find(inner, name))
    .find((found) => found !== undefined);
}

/** Expects that everything in a result is in the answer of a lookup, and that no entry is missing. */
function expectPartOf(result: Readonly<Record<string, unknown>>, answer: unknown): void {
  for (const [name, value] of Object.entries(result)) {
    const found = find(answer, name);
    if (!Array.isArray(value) || typeof value[0] !== 'object') expect({ [name]: value }).toEqual({ [name]: found });
    else {
      expect(value).toHaveLength((found as unknown[]).length);
      for (const [i, entry] of value.entries()) expectPartOf(entry, (found as unknown[])[i]);
    }
  }
}

describe('the questions in docs/agents.md', () => {
  let demo: Demo;
  const clients: Record<string, Client> = {};
  beforeAll(async () => {
    demo = await startDemo();
    clients.http = await connectHttp(demo.url, 'auto');
    clients['http with a handshake'] = await connectHttp(demo.url, 'legacy');
    clients.stdio = await connectStdio([], { DATABASE_URL: demo.databaseUrl }, 'auto');
    clients['stdio to a server, with a handshake'] = await connectStdio([demo.url], {}, 'legacy');
  });
  afterAll(async () => {
    for (const client of Object.values(clients)) await client.close();
    await demo.close();
  });

  it('has twenty', () => {
    expect(questions).toHaveLength(20);
  });

  it.each(['http', 'stdio'])('are answered as the lookups answer, over %s', async (transport) => {
    for (const { question, tool, args, lookup } of questions) {
      const result = await (clients[transport] as Client).callTool({ name: tool, arguments: args });
      const { structuredContent, isError, content } = result as {
        structuredContent: Record<string, unknown>;
        isError?: boolean;
        content: unknown;
      };
      expect({ question, isError, content }).toEqual({
        question,
        content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
      });
      const { next, ...shown } = structuredContent;
      const answer = await demo.get(lookup);
      expectPartOf(shown, answer.json);
      const entries = Object.values(shown).filter((value) => Array.isArray(value));
      expect({ question, isEmpty: entries.some((array) => array.length === 0) }).toEqual({ question, isEmpty: false });
      expect({ question, hasNext: next !== undefined }).toEqual({ question, hasNext: answer.headers.has('link') });
    }
  });

  it.each([
    ['http', 'modern'],
    ['http with a handshake', 'legacy'],
    ['stdio', 'modern'],
    ['stdio to a server, with a handshake', 'legacy'],
  ])('have the tools of the page over %s', async (transport, era) => {
    const client = clients[transport] as Client;
    expect(client.getProtocolEra()).toBe(era);
    expect(client.getInstructions()).toContain('Ethereum Follow Protocol');
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(rowsOf('Tools').map(([name]) => name));
    expect(await client.callTool({ name: 'graph_stats', arguments: {} })).toMatchObject({
      structuredContent: (await demo.get('/stats')).json,
    });
  });

  it('are continued by the call in next, to the last page', async () => {
    const seen: unknown[] = [];
    let call: { tool: string; arguments: Record<string, unknown> } | undefined = {
      tool: 'followers',
      arguments: { account: 'ada.eth', limit: 50 },
    };
    while (call !== undefined) {
      const page = await (clients.http as Client).callTool({ name: call.tool, arguments: call.arguments });
      const { structuredContent } = page as {
        structuredContent: { followers: { address: string }[]; next?: typeof call };
      };
      seen.push(...structuredContent.followers.map(({ address }) => address));
      call = structuredContent.next;
    }
    const all = (await demo.get('/users/ada.eth/followers?limit=1000')).json.followers;
    expect(seen.length).toBeGreaterThan(50);
    expect(seen).toEqual(all.map(({ address }: { address: string }) => address));
  });
});
