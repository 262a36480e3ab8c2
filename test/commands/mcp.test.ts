import { describe, expect, it } from 'vitest';
import { newPath } from '../support/new-path.ts';
import { runKith } from './run-here.ts';
import { failureIn, followKith } from './run-kith.ts';

const request = (id: number, method: string, params: object = {}) =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });
const linesOf = (text: string) => text.trimEnd().split('\n');

async function createDemo(): Promise<Readonly<Record<string, string>>> {
  const env = { DATABASE_URL: `sqlite:${await newPath('kith.db')}` };
  expect((await runKith(['demo', '--accounts', '100'], { env })).code).toBe(0);
  return env;
}

describe('kith mcp', () => {
  it('answers each line that is a request, writes nothing else, and ends with its input', async () => {
    const env = await createDemo();
    const stdin = [
      request(1, 'initialize', { protocolVersion: '2025-11-25' }),
      '{"jsonrpc":"2.0","method":"notifications/initialized"}',
      '',
      'no JSON',
      `{"jsonrpc":"2.0","id":2,"method":"ping","params":{"padding":"${'x'.repeat(200_000)}"}}`,
      '[]',
      request(3, 'tools/call', { name: 'graph_stats', arguments: {} }),
      // The last line has no line break.
      request(4, 'ping'),
    ].join('\n');
    // Its own limit is for clients of the network.
    const { code, stdout, stderr } = await runKith(['mcp'], { env: { ...env, RATE_LIMIT: '1/60' }, stdin });
    expect(code).toBe(0);
    const messages = linesOf(stdout).map((line) => JSON.parse(line));
    expect(messages.filter(({ jsonrpc }) => jsonrpc !== '2.0')).toEqual([]);
    const byId = Map.groupBy(messages, ({ id }) => id);
    expect(byId.get(1)?.[0].result.protocolVersion).toBe('2025-11-25');
    expect(byId.get(2)).toBeUndefined();
    expect(byId.get(3)?.[0].result.structuredContent.stats.address_count).toBe('100');
    expect(byId.get(4)?.[0].result).toEqual({});
    const errors = byId.get(undefined)?.map(({ error }) => error.code);
    expect(errors?.toSorted()).toEqual([-32_600, -32_603, -32_700]);
    expect(stderr).toContain('using the database');
  });

  it('shuts down on SIGTERM while its input is open', async () => {
    const { child, outcome, untilSaid } = followKith(['mcp'], await createDemo());
    child.stdin.write(`${request(1, 'ping')}\n`);
    await untilSaid(/"id":1/);
    child.kill('SIGTERM');
    expect(await outcome).toMatchObject({ code: 0, stdout: '{"jsonrpc":"2.0","id":1,"result":{}}\n' });
  });

  it('requires a database that exists', async () => {
    const env = { DATABASE_URL: `sqlite:${await newPath('none.db')}` };
    const { code, stdout } = await runKith(['mcp'], { env, stdin: request(1, 'ping') });
    expect([code, stdout]).toEqual([1, '']);
  });

  it('answers with an error while the service at the URL cannot be reached', async () => {
    const { code, stdout } = await runKith(['mcp', 'http://127.0.0.1:1'], { stdin: request(7, 'ping') });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ id: 7, error: { code: -32_603 } });
  });

  it('rejects what is no URL', async () => {
    const { code, stderr } = await runKith(['mcp', 'kith.example'], {});
    expect([code, failureIn(stderr)]).toEqual([1, 'URL: expected an http or https URL [E_CONFIG]']);
  });
});
