import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sleep } from './numbers.ts';
import { request as ask } from './request.ts';

export interface Balancer {
  readonly port: number;
  close(): void;
}

/** As load balancers are commonly configured, but faster: an upstream is left out after two failed checks. */
const CHECK_MS = 500;
const MAX_FAILED_CHECKS = 2;

/**
 * Sends requests in turn to the upstreams whose /ready is 200, on keep-alive connections. A request that an upstream
 * does not answer is 502: it does not retry.
 */
export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true });
  const upstreams = ports.map((port) => ({ port, failedChecks: 0 }));
  let isOpen = true;
  let turn = 0;
  const check = async (upstream: (typeof upstreams)[number]) => {
    while (isOpen) {
      const { status } = await ask(upstream.port, '/ready');
      upstream.failedChecks = status === 200 ? 0 : upstream.failedChecks + 1;
      await sleep(CHECK_MS);
    }
  };
  for (const upstream of upstreams) void check(upstream);
  const server = createServer((incoming, response) => {
    const usable = upstreams.filter(({ failedChecks }) => failedChecks < MAX_FAILED_CHECKS);
    const upstream = usable[turn++ % usable.length];
    const fail = () => {
      if (response.headersSent) response.destroy();
      else response.writeHead(502).end();
    };
    if (upstream === undefined) return fail();
    const { method, url, headers } = incoming;
    request({ port: upstream.port, host: '127.0.0.1', method, path: url, headers, agent }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.on('error', fail).pipe(response);
    })
      .on('error', fail)
      .end();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    // Safe: the server listens on a port.
    port: (server.address() as AddressInfo).port,
    close() {
      isOpen = false;
      server.close();
      server.closeAllConnections();
      agent.destroy();
    },
  };
}
