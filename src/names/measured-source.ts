import type { Outcome, SourceMetrics } from '../remote/source-metrics.ts';
import { type FetchedProfile, type ProfileSource, UnresolvableError } from './profile-source.ts';

/** The outcome of a lookup, as a metric label. */
export function outcomeOf(result: FetchedProfile | string | null | Error): Outcome {
  if (result instanceof UnresolvableError) return 'unresolvable';
  if (result instanceof Error) return 'failed';
  if (result === null || (typeof result === 'object' && result.name === '')) return 'absent';
  return typeof result === 'object' && Object.keys(result.errors).length > 0 ? 'incomplete' : 'found';
}

/** A source whose lookups are counted and timed. */
export function measureProfileSource(source: ProfileSource, metrics: SourceMetrics): ProfileSource {
  return {
    fetchProfile: (account, storedName) =>
      metrics.measure({ source: 'chain', of: 'profile' }, () => source.fetchProfile(account, storedName), outcomeOf),
    fetchHolder: (name) => metrics.measure({ source: 'chain', of: 'name' }, () => source.fetchHolder(name), outcomeOf),
  };
}
