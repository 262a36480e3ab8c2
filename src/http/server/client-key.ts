import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';

/** Proxies that append the port of the client to its address: `1.2.3.4:5678` and `[::1]:5678`. */
const WITH_PORT = /^(?:([\d.]+)|\[(.+)\]):\d+$/;
/** A network of this length is usually that of one client. */
const IPV6_NETWORK_PARTS = 4;

/** Equal for all spellings of the address of a client, and for all addresses of its IPv6 network. */
export function clientKey({ ip }: Pick<FastifyRequest, 'ip'>): string {
  const [, v4, v6] = WITH_PORT.exec(ip) ?? [];
  const text = v4 ?? v6 ?? ip;
  if (!ipaddr.isValid(text)) return text;
  const address = ipaddr.process(text);
  return address instanceof ipaddr.IPv6 ? address.parts.slice(0, IPV6_NETWORK_PARTS).join(':') : address.toString();
}
