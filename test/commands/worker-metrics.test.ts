import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { builtUrl, PROJECT } from './run-kith.ts';

/** A worker that asks for the metrics of all workers, and reports what it got and how many listeners are left. */
const WORKER = `
  import { Registry } from 'prom-client';
  import { createClusterCollect } from ${JSON.stringify(builtUrl('commands/serve-workers.js'))};
  const registry = new Registry();
  const collect = createClusterCollect(registry);
  const before = process.listenerCount('message');
  const text = await collect();
  process.send({ text, left: process.listenerCount('message') - before }, () => process.disconnect());
`;

it.each([
  ['replies', { type: 'kith:metrics', text: 'all' }, 'all'],
  ['fails', { type: 'kith:metrics', error: 'no metrics' }, '\n'],
  ['does not reply', null, '\n'],
])('a scrape of a worker leaves no listener when the primary process %s', async (_, reply, text) => {
  const worker = spawn(process.execPath, ['--input-type=module', '--eval', WORKER], {
    cwd: PROJECT,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  onTestFinished(() => void worker.kill());
  const [request] = await once(worker, 'message');
  expect(request).toEqual({ type: 'kith:metrics' });
  if (reply !== null) worker.send(reply);
  const [result] = await once(worker, 'message');
  expect(result).toEqual({ text, left: 0 });
});
