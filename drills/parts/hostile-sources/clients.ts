import { once } from 'node:events';
import http from 'node:http';
import { connect, type Socket } from 'node:net';
import type { HostileCase } from './case.ts';
import { attackOf } from './resolver.ts';
import { startService } from './service.ts';

const IDLE = 3_000;
const AT_ONCE = 100;
/** Not that of the other clients, so that limits of a client address do not apply to them. */
const ATTACKER = '127.0.0.2';

const idleConnections: HostileCase = {
  name: `clients: ${IDLE.toLocaleString('en-GB')} idle connections`,
  async prepare(setting) {
    const service = await startService(setting);
    const sockets: Socket[] = [];
    setting.defer(() => {
      for (const socket of sockets) socket.destroy();
    });
    const open = async () => {
      const socket = connect({ port: service.port, host: '127.0.0.1', localAddress: ATTACKER }).on(
        'error',
        () => undefined,
      );
      sockets.push(socket);
      socket.write('GET /health HTTP/1.1\r\nHost: drill\r\n\r\n');
      await Promise.race([once(socket, 'data'), once(socket, 'close')]);
    };
    return attackOf(service, async () => {
      while (sockets.length < IDLE) await Promise.all(Array.from({ length: AT_ONCE }, open));
    });
  },
};

const RATE = 10;
const PATHS = ['/openapi.json', '/docs', '/status'];

/** A request of one client address. */
function statusOf(port: number, path: string, localAddress: string): Promise<number> {
  return new Promise((resolve) => {
    const sent = http.get({ host: '127.0.0.1', port, path, localAddress, agent: false }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    });
    sent.on('error', () => resolve(0));
  });
}

const rateLimited: HostileCase = {
  name: `clients: ${PATHS.join(', ')} above RATE_LIMIT`,
  async prepare(setting) {
    const service = await startService(setting, { env: { RATE_LIMIT: `${RATE}/300` } });
    const statuses = new Map<string, number>();
    const attack = attackOf(service, async () => {
      for (const [i, path] of PATHS.entries())
        for (let n = 0; n <= RATE; n++) statuses.set(path, await statusOf(service.port, path, `127.0.0.${i + 2}`));
    });
    return {
      ...attack,
      // Each client address has a limit of its own.
      others: {
        'another client is answered': async () => (await statusOf(service.port, '/status', '127.0.0.9')) === 200,
      },
      outcome: Object.fromEntries(PATHS.map((path) => [`${path} is limited`, () => statuses.get(path) === 429])),
    };
  },
};

export const clientCases: readonly HostileCase[] = [idleConnections, rateLimited];
