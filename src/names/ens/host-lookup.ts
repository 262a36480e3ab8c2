import { Resolver } from 'node:dns/promises';

/** An address that a host's name leads to. */
export interface HostAddress {
  readonly address: string;
  readonly family: number;
}

/** Finds all addresses of a host, or rejects when there is none. */
export type HostLookup = (host: string) => Promise<readonly HostAddress[]>;

type Resolving = Pick<Resolver, 'resolve4' | 'resolve6'>;

/**
 * Asks DNS itself. The system's own lookup would hold one of the few threads that all lookups share, for as long as a
 * stranger's name server likes, and would find names that only this machine has.
 */
export function createHostLookup(resolver: Resolving = new Resolver({ timeout: 2_000, tries: 2 })): HostLookup {
  return async (host) => {
    const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    // Few hosts have both kinds, and what is not there is reported like what cannot be found out.
    if (four.status === 'rejected' && six.status === 'rejected') throw four.reason;
    return [...found(four, 4), ...found(six, 6)];
  };
}

function found(result: PromiseSettledResult<string[]>, family: number): HostAddress[] {
  return result.status === 'fulfilled' ? result.value.map((address) => ({ address, family })) : [];
}
