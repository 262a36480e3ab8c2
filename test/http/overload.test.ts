import Fastify from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { registerOverload } from '../../src/http/server/limits.ts';

it('registerOverload does not reject the first requests after a start that took longer than the limit', async () => {
  const app = Fastify();
  onTestFinished(() => app.close());
  await registerOverload(app, { maxEventLoopDelayMs: 400 });
  app.get('/', async () => 'served');
  await app.ready();
  const busyUntil = performance.now() + 500;
  while (performance.now() < busyUntil);
  const url = await app.listen({ port: 0 });
  expect((await fetch(url)).status).toBe(200);
});
