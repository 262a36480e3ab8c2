import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type HttpLimits, proxyTest } from './limits.ts';

const ACCEPTED = /^[\w.:=+/-]{1,128}$/;

/** For Fastify's `genReqId`: the X-Request-Id of a trusted proxy, or else an id that no other process gives. */
export function createRequestIds({ trustProxy }: Pick<HttpLimits, 'trustProxy'>): (request: IncomingMessage) => string {
  const isProxy = proxyTest(trustProxy);
  const [prefix] = randomUUID().split('-');
  let requests = 0;
  return ({ headers: { 'x-request-id': given }, socket: { remoteAddress } }) => {
    if (typeof given === 'string' && ACCEPTED.test(given) && isProxy(remoteAddress)) return given;
    requests += 1;
    return `${prefix}-${requests.toString(36)}`;
  };
}
