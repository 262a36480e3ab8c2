import { setMaxListeners } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';
import { createLiveBadges } from '../badges/live-badges.ts';
import { createPoapClient } from '../badges/poap-client.ts';
import type { NameSourceConfig, SourcesConfig } from '../config/sources-config.ts';
import type { LookupSources } from '../lookup/lookups.ts';
import type { SourceKinds } from '../lookup/status.ts';
import { createEnstateSource } from '../names/enstate/enstate-source.ts';
import { createLiveNames } from '../names/live-names.ts';
import { createLiveProfiles, noProfiles } from '../names/live-profiles.ts';
import { createHolderLookup } from '../names/name-source.ts';
import type { ProfileSource } from '../names/profile-source.ts';
import { createLimiter } from '../remote/limiter.ts';
import { createEndpoint } from '../rpc/endpoint.ts';
import { createRpcClient } from '../rpc/rpc-client.ts';
import type { Store } from '../store/store.ts';

/** What sources need of the process. */
export interface SourceTools {
  readonly fetch: typeof globalThis.fetch;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly random: () => number;
  readonly logger: Logger;
  /** Ends what is under way. */
  readonly signal: AbortSignal;
  /** Whether an address that a gateway's name leads to may be connected to; every public one if not given. */
  readonly isAllowedGateway?: (address: string) => boolean;
}

/** What is asked of a source at a time, and how much more may wait, because somebody waits for an answer. */
const CONCURRENCY = 8;
const MAX_WAITING = 500;

export function sourceKindsOf({ names, badges }: SourcesConfig): SourceKinds {
  return { names: names.kind, badges: badges.kind };
}

export async function createProfileSource(config: SourcesConfig, tools: SourceTools): Promise<ProfileSource | null> {
  const { names, timeoutMs } = config;
  // Every request listens to it; there may be more at a time than Node thinks sound.
  setMaxListeners(0, tools.signal);
  switch (names.kind) {
    case 'none':
      return null;
    case 'enstate':
      return createEnstateSource({ ...tools, url: names.url, timeoutMs });
    case 'chain': {
      const { isAllowedGateway: isAllowed, signal } = tools;
      // Loaded only where it is used: it takes half a second.
      const [{ createChainSource }, { createCcipGateway }, { createGuardedFetch }] = await Promise.all([
        import('../names/ens/chain-source.ts'),
        import('../names/ens/ccip-gateway.ts'),
        import('../names/ens/guarded-fetch.ts'),
      ]);
      const fetch = createGuardedFetch({ timeoutMs, signal, ...(isAllowed === undefined ? {} : { isAllowed }) });
      const ccip = config.ccipRead ? createCcipGateway({ fetch }) : null;
      return createChainSource({ client: createClient(names, config, tools), ccip, now: tools.now });
    }
  }
}

function createClient(
  { chainId, urls }: NameSourceConfig & { kind: 'chain' },
  config: SourcesConfig,
  tools: SourceTools,
) {
  const { fetch, signal, logger, now, random } = tools;
  return createRpcClient({
    chainId,
    endpoints: urls.map((url) => createEndpoint({ url, fetch, timeoutMs: config.timeoutMs, signal })),
    sleep: (ms) => setTimeout(ms, undefined, { signal }),
    now,
    random,
    onFault: (host, error) => logger.debug({ host, err: error }, 'a node did not answer a question about a name'),
  });
}

/** The sources of a serving process, live as far as they are configured. */
export async function createSources(
  store: Store,
  config: SourcesConfig,
  tools: SourceTools,
): Promise<LookupSources & { close(): Promise<void> }> {
  const { now, random, logger } = tools;
  const kinds = sourceKindsOf(config);
  if (kinds.names === 'none') logger.info('no source of names is set: profiles are those that were imported');
  if (kinds.badges === 'none') logger.info('no badge source is set: badges are those that were imported');
  const source = await createProfileSource(config, tools);
  const { names, profiles } = createNames(store, source, config, tools);
  const common = { kinds, names, profiles, badgeEvents: config.badgeEvents };
  if (config.badges.kind === 'none') {
    return { ...common, badges: null, close: profiles.close };
  }
  const badges = createLiveBadges({
    store,
    client: createPoapClient({ ...config.badges, ...tools, timeoutMs: config.timeoutMs }),
    events: config.badgeEvents,
    heldMs: config.badgeHeldMs,
    notHeldMs: config.badgeNotHeldMs,
    deadlineMs: config.deadlineMs,
    concurrency: CONCURRENCY,
    maxWaiting: MAX_WAITING,
    sleep: (ms, signal) => setTimeout(ms, undefined, { signal }),
    now,
    random,
    logger,
  });
  // They have a signal of their own; `close` tells how that went.
  tools.signal.addEventListener('abort', () => void badges.close(), { once: true });
  return {
    ...common,
    badges,
    async close() {
      await Promise.all([profiles.close(), badges.close()]);
    },
  };
}

function createNames(
  store: Store,
  source: ProfileSource | null,
  { profileMaxAgeMs: maxAgeMs, deadlineMs, gateways }: SourcesConfig,
  { now, logger }: SourceTools,
) {
  if (source === null) return { names: null, profiles: noProfiles };
  const limiter = createLimiter(source.kind, CONCURRENCY, MAX_WAITING);
  const common = { source, limiter, maxAgeMs, deadlineMs, now, logger };
  const profiles = createLiveProfiles({ ...common, store, gateways });
  const holderOf = createHolderLookup(store.reader);
  return { names: createLiveNames({ ...common, holderOf, renew: profiles.renew }), profiles };
}
