import type { Outcome, SourceMetrics } from '../remote/source-metrics.ts';
import type { FetchedProfile, ProfileSource } from './profile-source.ts';
import { UnresolvableError } from './unresolvable-error.ts';

/** The outcome of a lookup, as a metric label. */
export function outcomeOf(result: FetchedProfile | string | null | Error | undefined): Outcome {
  if (result instanceof UnresolvableError) return 'unresolvable';
  if (result instanceof Error || result === undefined) return 'failed';
  if (result === null || (typeof result === 'object' && result.name === '')) return 'absent';
  return typeof result === 'object' && Object.keys(result.errors).length > 0 ? 'incomplete' : 'found';
}

/** A source whose lookups are counted and timed. Profiles are fetched one at a time on demand. */
export function measureProfileSource(source: ProfileSource, metrics: SourceMetrics): ProfileSource {
  const { kind } = source;
  return {
    ...source,
    fetchProfiles: (accounts, options) =>
      metrics.measure(
        { source: kind, of: 'profile' },
        () => source.fetchProfiles(accounts, options),
        (results) => (results instanceof Error ? outcomeOf(results) : outcomeOf([...results.values()][0])),
      ),
    fetchHolder: (name, options) =>
      metrics.measure({ source: kind, of: 'name' }, () => source.fetchHolder(name, options), outcomeOf),
  };
}
