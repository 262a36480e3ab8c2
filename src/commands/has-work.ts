import type { Config } from '../config/config.ts';

/** Whether `kith index` has something to do. */
export function hasWork({ rpcUrls, sources }: Config): boolean {
  return rpcUrls.size > 0 || refreshesProfiles(sources);
}

export function refreshesProfiles({ names, nameRequestsPerSecond }: Config['sources']): boolean {
  return names.kind !== 'none' && nameRequestsPerSecond > 0;
}
