import { Counter, Histogram, type Metric } from 'prom-client';

/** Outcomes of a lookup. `unresolvable` is a fault of the name, `failed` one of the source. */
export const OUTCOMES = ['found', 'incomplete', 'absent', 'failed', 'unresolvable'] as const;
export type Outcome = (typeof OUTCOMES)[number];

export type SourceMetrics = ReturnType<typeof createSourceMetrics>;

/** From a node in the same network to the default of SOURCE_TIMEOUT_MS, and beyond it for lookups of several requests. */
const BUCKETS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 15];

/** Counts and times the lookups of name and badge sources. */
export function createSourceMetrics() {
  // Registered by /metrics, not in the global registry.
  const registers: [] = [];
  const lookups = new Counter({
    name: 'kith_source_lookups_total',
    help: 'Lookups of names, profiles and badges on demand, by source and outcome.',
    labelNames: ['source', 'of', 'outcome'],
    registers,
  });
  const seconds = new Histogram({
    name: 'kith_source_lookup_seconds',
    help: 'Duration of lookups of names, profiles and badges on demand.',
    labelNames: ['source', 'of'],
    buckets: BUCKETS,
    registers,
  });
  const requests = new Counter({
    name: 'kith_source_requests_total',
    help: 'Requests to name and badge sources on demand.',
    labelNames: ['source'],
    registers,
  });
  const gatewayFailures = new Counter({
    name: 'kith_gateway_failures_total',
    help: 'Failed CCIP-read requests on demand, by kind.',
    labelNames: ['kind'],
    registers,
  });
  const metrics: readonly Metric[] = [lookups, seconds, requests, gatewayFailures];
  return {
    /** For the registry of /metrics. */
    metrics,
    /** Counts a lookup that was not made because of the rate limit. */
    rejected: (source: string) => lookups.inc({ source, of: 'any', outcome: 'rate-limited' }),
    /** Counts a request to a source. */
    requested: (source: string) => requests.inc({ source }),
    /** Counts a failed CCIP-read request by the kind of the fault. */
    gatewayFailed: (kind: string) => gatewayFailures.inc({ kind }),
    /** Times a lookup and counts its outcome; `outcomeOf` gets the result or the error. */
    async measure<T>(
      { source, of }: { readonly source: string; readonly of: string },
      lookup: () => Promise<T>,
      outcomeOf: (result: T | Error) => string,
    ): Promise<T> {
      const stop = seconds.startTimer({ source, of });
      const count = (outcome: string) => lookups.inc({ source, of, outcome });
      try {
        const result = await lookup();
        count(outcomeOf(result));
        return result;
      } catch (error) {
        // Safe: everything that a source throws is an error.
        count(outcomeOf(error as Error));
        throw error;
      } finally {
        stop();
      }
    },
  };
}
