import { Worker } from 'node:worker_threads';
import { expect, it, onTestFinished } from 'vitest';
import { createWorkerClient } from '../../src/async/worker-calls.ts';

function startClient(onMessage: string) {
  const source = `require('node:worker_threads').parentPort.on('message', () => { ${onMessage} });`;
  const client = createWorkerClient<{ read(): number }>(new Worker(source, { eval: true }), 'the thread');
  onTestFinished(() => client.stop());
  return client;
}

it('rejects the pending and all later calls when the thread exits', async () => {
  const client = startClient('process.exit(3)');
  expect(client.hasExited()).toBe(false);
  const message = 'the thread exited with code 3';
  const outcomes = await Promise.allSettled([client.call('read'), client.call('read')]);
  expect(outcomes).toMatchObject([{ reason: { message } }, { reason: { message } }]);
  expect(client.hasExited()).toBe(true);
  await expect(client.call('read')).rejects.toThrow(message);
});

it('rejects with the uncaught error of the thread', async () => {
  const client = startClient(`throw new Error('no memory')`);
  await expect(client.call('read')).rejects.toThrow('no memory');
  await expect(client.call('read')).rejects.toThrow('no memory');
});
