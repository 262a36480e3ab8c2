import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { type Post, serveStdio } from '../../src/mcp/stdio.ts';
import { waitFor } from '../support/wait-for.ts';

interface Posted {
  readonly id: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly answer: (status: number, body: object) => void;
}

/** Serves lines to a server whose answers the test decides. */
function start() {
  const posted: Posted[] = [];
  const post: Post = (body, headers, signal) =>
    new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
      const answer = (status: number, reply: object) => resolve({ status, text: JSON.stringify(reply, null, 2) });
      posted.push({ id: JSON.parse(body).id, headers, answer });
    });
  const [input, output] = [new PassThrough(), new PassThrough()];
  const stop = new AbortController();
  const served = serveStdio({ input, output, post, signal: stop.signal });
  const write = (message: object) => input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const read = () => String(output.read() ?? '');
  return { posted, input, write, read, served, stop: () => stop.abort() };
}

describe('messages over standard input and output', () => {
  it('are answered in one line each, in the order in which the server answers', async () => {
    const { posted, input, write, read, served } = start();
    write({ id: 1, method: 'ping' });
    write({ id: 2, method: 'ping' });
    await waitFor(() => expect(posted).toHaveLength(2));
    posted[1]?.answer(200, { jsonrpc: '2.0', id: 2, result: {} });
    posted[0]?.answer(200, { jsonrpc: '2.0', id: 1, result: {} });
    input.end();
    await served;
    expect(read()).toBe('{"jsonrpc":"2.0","id":2,"result":{}}\n{"jsonrpc":"2.0","id":1,"result":{}}\n');
  });

  it('have the headers of their version', async () => {
    const { posted, input, write, served } = start();
    const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
    write({ id: 1, method: 'tools/call', params: { name: 'who is\n?', _meta } });
    write({ id: 2, method: 'tools/call', params: { name: 'who_is' } });
    await waitFor(() => expect(posted).toHaveLength(2));
    expect(posted[0]?.headers).toMatchObject({
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': `=?base64?${Buffer.from('who is\n?').toString('base64')}?=`,
    });
    expect(posted[1]?.headers).not.toHaveProperty('mcp-method');
    for (const { id, answer } of posted) answer(200, { jsonrpc: '2.0', id, result: {} });
    input.end();
    await served;
  });

  it('are cancelled by a notification, and then have no answer', async () => {
    const { posted, input, write, read, served } = start();
    write({ id: 'a', method: 'tools/call', params: { name: 'path' } });
    await waitFor(() => expect(posted).toHaveLength(1));
    write({ method: 'notifications/cancelled', params: { requestId: 'a' } });
    input.end();
    await served;
    expect(read()).toBe('');
  });

  it('wait while sixteen are in progress', async () => {
    const { posted, input, write, read, served } = start();
    for (let id = 1; id <= 17; id++) write({ id, method: 'ping' });
    await waitFor(() => expect(posted).toHaveLength(16));
    posted[3]?.answer(200, { jsonrpc: '2.0', id: 4, result: {} });
    await waitFor(() => expect(posted).toHaveLength(17));
    for (const { id, answer } of posted) answer(200, { jsonrpc: '2.0', id, result: {} });
    input.end();
    await served;
    expect(read().trimEnd().split('\n')).toHaveLength(17);
  });

  it('are answered with an error if the server answers with a problem', async () => {
    const { posted, input, write, read, served } = start();
    write({ id: 1, method: 'ping' });
    await waitFor(() => expect(posted).toHaveLength(1));
    posted[0]?.answer(429, { code: 'rate-limited', detail: 'more than 600 requests in 60 seconds' });
    input.end();
    await served;
    const message = 'the server answered with status 429: more than 600 requests in 60 seconds';
    expect(JSON.parse(read())).toEqual({ jsonrpc: '2.0', id: 1, error: { code: -32_603, message } });
  });

  it('are dropped on a signal', async () => {
    const { posted, write, read, served, stop } = start();
    write({ id: 1, method: 'ping' });
    await waitFor(() => expect(posted).toHaveLength(1));
    stop();
    await served;
    expect(read()).toBe('');
  });
});
