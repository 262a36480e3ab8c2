import type { HostAddress } from '../../../src/remote/guarded-fetch.ts';
import type { GatewayServer } from './gateway-server.ts';

/** Allows loopback addresses only. */
export const isAllowed = (address: string) => address === '127.0.0.1';
/** The error for any other address. */
export const NOT_PUBLIC = 'unreachable: the host has a non-public address';

const addressOf = (address: string): HostAddress => ({ address, family: address.includes(':') ? 6 : 4 });

/** A lookup with a sequence of results; the last one repeats. */
export function lookupOf(...answers: readonly (readonly string[])[]) {
  const hosts: string[] = [];
  const lookup = async (host: string) => (answers[Math.min(hosts.push(host), answers.length) - 1] ?? []).map(addressOf);
  return { lookup, hosts };
}

export const portOf = (gateway: GatewayServer) => new URL(gateway.origin).port;
