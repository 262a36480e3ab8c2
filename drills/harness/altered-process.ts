import dns from 'node:dns';
import { readFileSync } from 'node:fs';
import ipaddr from 'ipaddr.js';

/** Loaded before Kith by `--import`: alters what its process sees of the machine, as the variables say. */
const { DRILL_CLOCK, DRILL_LOOPBACK_IS_PUBLIC, DRILL_HOST } = process.env;

/** The wall clock is ahead by the milliseconds in a file. */
if (DRILL_CLOCK !== undefined) {
  const now = Date.now;
  let ahead = 0;
  setInterval(() => {
    ahead = Number(readFileSync(DRILL_CLOCK, 'utf8'));
  }, 20).unref();
  Date.now = () => now() + ahead;
}

/** Gateways on this machine are reachable, which the SSRF protection refuses. */
if (DRILL_LOOPBACK_IS_PUBLIC !== undefined) ipaddr.IPv4.prototype.range = () => 'unicast';

/** A host name that leads to this machine. */
if (DRILL_HOST !== undefined) {
  const { lookup } = dns;
  // Safe: only the host name differs from what the caller has passed.
  dns.lookup = ((host: string, ...rest: never[]) =>
    (lookup as (...args: unknown[]) => void)(host === DRILL_HOST ? '127.0.0.1' : host, ...rest)) as typeof dns.lookup;
}
