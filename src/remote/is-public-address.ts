import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The IPv6 global unicast range. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** In a public range, but the endpoint of Azure inside of its virtual machines. */
const AZURE_HOST = '168.63.129.16';

/** Whether an IP address is publicly routable: not loopback, private, link-local or reserved. */
export function isPublicAddress(address: string): boolean {
  try {
    // Converts IPv4-mapped IPv6 addresses to IPv4.
    const parsed = ipaddr.process(address);
    if (parsed.range() !== 'unicast' || parsed.toString() === AZURE_HOST) return false;
    return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_UNICAST);
  } catch {
    return false;
  }
}

/** Whether all addresses of the host of a URL are public. One that cannot be resolved counts as public: its request fails. */
export async function isPublicHost(hostname: string): Promise<boolean> {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0) return isPublicAddress(host);
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.every(({ address }) => isPublicAddress(address));
}
