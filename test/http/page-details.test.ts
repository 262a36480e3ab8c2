import fastify, { type FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import { askDetails } from '../../src/http/pages/page-head.ts';

describe('the details of a page', () => {
  it('are unavailable while the server closes, which still answers requests on open connections', async () => {
    const app = fastify({ return503OnClosing: false });
    await app.listen({ host: '127.0.0.1', port: 0 });
    await app.close();
    const request = { server: app, ip: '127.0.0.1' } as unknown as FastifyRequest;
    const answer = await askDetails(request, { kind: 'account', id: 'ada.eth' });
    expect(answer).toMatchObject({ problem: { status: 503, code: 'unavailable' } });
  });
});
