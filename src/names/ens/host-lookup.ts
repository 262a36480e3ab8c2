import { Resolver } from 'node:dns/promises';

export interface HostAddress {
  readonly address: string;
  readonly family: number;
}

/** Resolves all addresses of a host; rejects if there is none. */
export type HostLookup = (host: string) => Promise<readonly HostAddress[]>;

type DnsResolver = Pick<Resolver, 'resolve4' | 'resolve6'>;

/**
 * Queries DNS directly. `dns.lookup` would block a thread of the libuv pool for as long as an untrusted name server
 * takes, and would resolve names from /etc/hosts.
 */
export function createHostLookup(resolver: DnsResolver = new Resolver({ timeout: 2_000, tries: 2 })): HostLookup {
  return async (host) => {
    const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    // Many hosts have only one address family, and a missing one is reported as a failure.
    if (four.status === 'rejected' && six.status === 'rejected') throw four.reason;
    return [...found(four, 4), ...found(six, 6)];
  };
}

function found(result: PromiseSettledResult<string[]>, family: number): HostAddress[] {
  return result.status === 'fulfilled' ? result.value.map((address) => ({ address, family })) : [];
}
