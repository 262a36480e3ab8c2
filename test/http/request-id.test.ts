import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { annsList, logsOf } from '../model/small-history.ts';
import { anyEngine } from '../support/engines.ts';
import { loadLogs } from '../support/load.ts';
import type { Service } from '../support/service.ts';
import { expectProblem, ServiceFixture, send } from './support.ts';

const stats = '/api/v1/stats';

describe.each(anyEngine)('The id of a request', (engine) => {
  const fixture = new ServiceFixture(engine);
  const log: { requestId?: string; err?: object }[] = [];
  let service: Service;
  let behindProxy: Service;
  beforeAll(async () => {
    const store = await fixture.open();
    await loadLogs(store, logsOf(annsList));
    service = await fixture.serve(store);
    const limits = { trustProxy: '127.0.0.1' };
    behindProxy = await fixture.serve(store, { limits, log: (line) => log.push(JSON.parse(line)) });
  });
  afterAll(() => fixture.close());

  const idOf = async ({ url }: Service, path: string, given?: string) => {
    const { headers } = await send(url, { path, headers: given === undefined ? {} : { 'x-request-id': given } });
    return headers['x-request-id'];
  };

  it.each([stats, stats, '/api/v1/lists/999/details', '/api/v1/lists/%zz/details', '/nowhere', '/health', '/docs'])(
    'is its own in the answer of %s',
    async (path) => {
      const ids = [await idOf(service, path), await idOf(service, path), await idOf(behindProxy, path)];
      for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-z]+$/);
      expect(new Set(ids).size).toBe(3);
    },
  );

  it.each(['7b5c3f0e-1f3e-4f4b-9d6e-0a3f7f0c2b11', 'Root=1-67891233-abcdef', 'a'.repeat(128)])(
    'is taken over from a trusted proxy: %s',
    async (id) => {
      expect(await idOf(behindProxy, stats, id)).toBe(id);
      expect(await idOf(behindProxy, '/api/v1/lists/%zz/details', id)).toBe(id);
      expect(await idOf(service, stats, id)).not.toBe(id);
    },
  );

  it.each(['', 'a b', 'a"b', 'a,b', '<b>', 'é', 'a'.repeat(129)])('is never %j', async (id) => {
    expect(await idOf(behindProxy, stats, id)).toMatch(/^[0-9a-f]{8}-[0-9a-z]+$/);
  });

  it('is in the log and in the problem of an unexpected error', async () => {
    const own = new ServiceFixture(engine);
    const store = await own.open();
    try {
      await loadLogs(store, logsOf(annsList));
      await store.transaction((tx) => tx.execute((db) => db.deleteFrom('logs')));
      const limits = { trustProxy: '127.0.0.1' };
      const damaged = await own.serve(store, { limits, log: (line) => log.push(JSON.parse(line)) });
      const answer = await damaged.get('/lists/0', { headers: { 'x-request-id': 'of-the-proxy' } });
      expectProblem(answer, { status: 500, code: 'internal' });
      expect(answer.json.requestId).toBe('of-the-proxy');
      expect(log.filter(({ requestId }) => requestId === 'of-the-proxy')).toMatchObject([{ err: {} }]);
    } finally {
      await own.close();
    }
  });
});
