import { setMaxListeners } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { UnixMs } from '../async/unix-time.ts';
import { createPoapBadgeSource } from '../badges/poap-badge-source.ts';
import { createPoapClient } from '../badges/poap-client.ts';
import type { Config, SourcesConfig } from '../config/config.ts';
import type { LookupSources } from '../lookup/lookups.ts';
import type { SourceKinds } from '../lookup/status.ts';
import { measureProfileSource } from '../names/measured-source.ts';
import { readHolder } from '../names/name-holder.ts';
import { createNameResolver, RESULT_TTL_MS } from '../names/on-demand/name-resolver.ts';
import { createProfileRefresher, noProfileRefresher } from '../names/on-demand/profile-refresher.ts';
import { createSharedNames } from '../names/on-demand/shared-names.ts';
import type { ProfileSource } from '../names/profile-source.ts';
import type { Address } from '../protocol/hex.ts';
import { type CallBudget, createCallBudget } from '../remote/call-budget.ts';
import { createLimiter } from '../remote/limiter.ts';
import type { RemoteError } from '../remote/remote-error.ts';
import { createSourceMetrics, type SourceMetrics } from '../remote/source-metrics.ts';
import { createEndpoint } from '../rpc/endpoint.ts';
import { createNodeLimits, type LimitOf, type NodeLimitsOptions } from '../rpc/node-limit.ts';
import { createRpcClient } from '../rpc/rpc-client.ts';
import type { Store } from '../store/store.ts';

export interface SourceTools {
  readonly fetch: typeof globalThis.fetch;
  readonly limitOf: LimitOf;
  readonly now: () => UnixMs;
  readonly random: () => number;
  readonly logger: Logger;
  /** Aborts requests in progress. */
  readonly signal: AbortSignal;
  /** Called for each failed CCIP-read request, with the kind of the fault. */
  readonly onGatewayFailure?: (kind: string) => void;
}

/** Concurrency limit per source for requests on demand, and its queue length. */
const CONCURRENCY = 8;
const MAX_QUEUED = 500;
/** Lookups of names and profiles at the same time. Most of the time of a slow one it waits for a gateway, not for the node. */
const MAX_ENS_LOOKUPS = 64;

export function sourceKindsOf({ names, badges }: SourcesConfig): SourceKinds {
  return { names: names.kind, badges: badges.kind };
}

/** The limits of the nodes, for what this process asks them. */
export function nodeLimitsOf(config: Config, use: NodeLimitsOptions['use']): LimitOf {
  const { names } = config.sources;
  const nameUrls = names.kind === 'none' ? [] : names.urls;
  return createNodeLimits({ limits: config.rpcLimits, use, workers: config.workers, nameUrls });
}

export async function createProfileSource(config: SourcesConfig, tools: SourceTools): Promise<ProfileSource | null> {
  const { names, timeoutMs } = config;
  if (names.kind === 'none') return null;
  const { fetch, limitOf, now, random, logger, signal } = tools;
  // Each request adds a listener; more than ten are not a leak.
  setMaxListeners(0, signal);
  // Imported lazily: viem takes half a second to load.
  const [{ createChainSource }, { createCcipGateway }, { createGuardedFetch }] = await Promise.all([
    import('../names/ens/chain-source.ts'),
    import('../names/ens/ccip-gateway.ts'),
    import('../names/ens/guarded-fetch.ts'),
  ]);
  const { chainId, urls } = names;
  const client = createRpcClient({
    chainId,
    endpoints: urls.map((url) => createEndpoint({ url, fetch, timeoutMs, limit: limitOf(url), signal })),
    sleep: (ms) => setTimeout(ms, undefined, { signal }),
    now,
    random,
    onFault: (host, error) => logger.debug({ host, err: error }, 'JSON-RPC request for ENS failed'),
  });
  const onFailure = (error: RemoteError) => tools.onGatewayFailure?.(error.fault.kind);
  const gatewayFetch = createGuardedFetch({ timeoutMs, signal });
  const ccip = config.ccipRead ? createCcipGateway({ fetch: gatewayFetch, timeoutMs, onFailure }) : null;
  return createChainSource({ client, ccip, now });
}

/** Creates the on-demand sources that are configured. */
export async function createSources(
  store: Store,
  config: SourcesConfig,
  tools: SourceTools,
): Promise<LookupSources & { readonly metrics: SourceMetrics['metrics']; close(): Promise<void> }> {
  const { now, random, logger } = tools;
  const kinds = sourceKindsOf(config);
  if (kinds.names === 'none') logger.info('no name source configured, serving imported profiles');
  if (kinds.badges === 'none') logger.info('no badge source configured, serving imported badges');
  const metrics = createSourceMetrics();
  const budget = createCallBudget({
    name: kinds.names,
    callsPerSecond: config.requestsPerSecond,
    now,
    onUsedUp: () => logger.warn({ source: kinds.names }, 'rate limit of a source reached, serving stored data'),
    onRejected: () => metrics.rejected(kinds.names),
  });
  const calls = createLimiter('ens', CONCURRENCY, MAX_QUEUED);
  const unmeasured = await createProfileSource(config, {
    ...tools,
    fetch: (...request) =>
      calls.run(() => {
        budget.spend();
        metrics.requested(kinds.names);
        return tools.fetch(...request);
      }),
    onGatewayFailure: metrics.gatewayFailed,
  });
  const source = unmeasured && measureProfileSource(unmeasured, metrics);
  const { names, profiles } = createNames(store, source, budget, config, tools);
  const common = { metrics: metrics.metrics, kinds, names, profiles, badgeEvents: config.badgeEvents };
  if (config.badges.kind === 'none') {
    return { ...common, badges: null, close: profiles.close };
  }
  const badges = createPoapBadgeSource({
    store,
    client: createPoapClient({ ...config.badges, ...tools, timeoutMs: config.timeoutMs }),
    events: config.badgeEvents,
    heldMs: config.badgeHeldMs,
    notHeldMs: config.badgeNotHeldMs,
    deadlineMs: config.deadlineMs,
    concurrency: CONCURRENCY,
    maxQueued: MAX_QUEUED,
    callsPerSecond: config.requestsPerSecond,
    metrics,
    sleep: (ms, signal) => setTimeout(ms, undefined, { signal }),
    now,
    random,
    logger,
  });
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
  budget: CallBudget,
  { profileMaxAgeMs: maxAgeMs, deadlineMs, gateways }: SourcesConfig,
  { now, logger }: SourceTools,
) {
  if (source === null) return { names: null, profiles: noProfileRefresher };
  // A lookup that misses its deadline leaves its slot, and goes on.
  const limiter = createLimiter('ens', MAX_ENS_LOOKUPS, MAX_QUEUED, { check: budget.check, holdMs: deadlineMs });
  const common = { source, limiter, maxAgeMs, deadlineMs, now, logger };
  const profiles = createProfileRefresher({ ...common, store, gateways });
  const holderOf = (name: string) => readHolder(store.reader, name);
  // Rejects if the source is not asked: the resolved name is returned all the same.
  const renew = (account: Address) => profiles.renew(account).catch(() => undefined);
  const shared = createSharedNames(store, RESULT_TTL_MS);
  return { names: createNameResolver({ ...common, holderOf, shared, renew }), profiles };
}
