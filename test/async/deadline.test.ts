import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { withDeadline } from '../../src/async/deadline.ts';
import { blockEventLoop } from '../support/block-event-loop.ts';

const late = () => new Error('late');

/** Both ends of a connection. */
async function openConnection(): Promise<[Socket, Socket]> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  // Safe: it listens on a port.
  const client = connect(server.address() as { port: number });
  const [other] = (await once(server, 'connection')) as [Socket];
  onTestFinished(() => {
    client.destroy();
    other.destroy();
    server.close();
  });
  return [client, other];
}

describe('withDeadline', () => {
  it('rejects work that takes longer', async () => {
    await expect(withDeadline(new Promise(() => undefined), 1, late)).rejects.toThrow('late');
  });

  it('takes what has arrived while the event loop was blocked beyond the deadline', async () => {
    const [client, other] = await openConnection();
    const work = withDeadline(once(client, 'data'), 1, late);
    other.write('answer');
    blockEventLoop(20);
    await expect(work).resolves.toEqual([Buffer.from('answer')]);
  });
});
