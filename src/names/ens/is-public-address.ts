import ipaddr from 'ipaddr.js';

/** All of IPv6 that has been given out to be reached from anywhere. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** Whether an IP address is one of the internet at large, not of this machine or of a network around it. */
export function isPublicAddress(address: string): boolean {
  try {
    // What IPv6 only wraps is judged as the IPv4 address that it leads to.
    const parsed = ipaddr.process(address);
    if (parsed.range() !== 'unicast') return false;
    return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_UNICAST);
  } catch {
    return false;
  }
}
