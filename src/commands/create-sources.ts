import { setMaxListeners } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { createFairQueue } from '../async/fair-queue.ts';
import { createPoapBadgeSource } from '../badges/badge-source.ts';
import { createPoapClient } from '../badges/poap-client.ts';
import type { Config, SourcesConfig } from '../config/config.ts';
import type { SourceKinds } from '../lookup/status.ts';
import { createNameResolver } from '../names/on-demand/name-resolver.ts';
import { createProfileRefresher, noProfileRefresher } from '../names/on-demand/profile-refresher.ts';
import { measureProfileSource, type ProfileSource } from '../names/profile-source.ts';
import { BusyError, type RemoteError } from '../remote/remote-error.ts';
import { currentClient } from '../remote/request-context.ts';
import { createSourceMetrics } from '../remote/source-metrics.ts';
import { createSourceQueue } from '../remote/source-queue.ts';
import { createEndpoint } from '../rpc/endpoint.ts';
import { createNodeLimits, type LimitOf, type NodeLimitsOptions } from '../rpc/node-limit.ts';
import { createRpcClient } from '../rpc/rpc-client.ts';
import { requireNoDemo } from '../store/state.ts';
import type { Store } from '../store/store.ts';
import type { Context } from './command.ts';

/** `signal` aborts requests in progress. */
interface SourceTools extends Pick<Context, 'now' | 'monotonic' | 'logger' | 'signal'> {
  readonly fetch: typeof globalThis.fetch;
  readonly limitOf: LimitOf;
  readonly random: () => number;
  /** Called for each failed CCIP-read request, with the kind of the fault. */
  readonly onGatewayFailure?: (kind: string) => void;
}

/** Concurrency limit per source for requests on demand, and how many may wait. */
const CONCURRENCY = 8;
const MAX_QUEUED = 500;
/** Lookups of names and profiles at the same time. */
const MAX_ENS_LOOKUPS = 64;

const sleep = (ms: number, signal: AbortSignal) => setTimeout(ms, undefined, { signal });

export function sourceKindsOf({ names, badges }: SourcesConfig): SourceKinds {
  return { names: names.kind, badges: badges.kind };
}

/** Whether `kith index` has something to do. */
export function hasWork({ rpcUrls, sources }: Config): boolean {
  return rpcUrls.size > 0 || refreshesProfiles(sources);
}

export function refreshesProfiles({ names, nameRequestsPerSecond }: Config['sources']): boolean {
  return names.kind !== 'none' && nameRequestsPerSecond > 0;
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
  const { fetch, limitOf, now, monotonic, random, logger, signal } = tools;
  // Each request adds a listener; more than ten are not a leak.
  setMaxListeners(0, signal);
  // Imported lazily: viem takes half a second to load.
  const [{ createChainSource }, { createCcipGateway }, { createGuardedFetch }] = await Promise.all([
    import('../names/ens/chain-source.ts'),
    import('../names/ens/ccip-gateway.ts'),
    import('../remote/guarded-fetch.ts'),
  ]);
  const { chainId, urls } = names;
  const client = createRpcClient({
    chainId,
    endpoints: urls.map((url) => createEndpoint({ url, fetch, timeoutMs, limit: limitOf(url), signal })),
    sleep: (ms) => sleep(ms, signal),
    now: monotonic,
    random,
    onFault: (host, error) => logger.debug({ host, err: error }, 'JSON-RPC request for ENS failed'),
  });
  const onFailure = (error: RemoteError) => tools.onGatewayFailure?.(error.fault.kind);
  const gatewayFetch = createGuardedFetch({ timeoutMs, signal });
  const ccip = config.ccipRead ? createCcipGateway({ fetch: gatewayFetch, timeoutMs, onFailure }) : null;
  return createChainSource({ client, ccip, now, monotonic });
}

/** Creates the on-demand sources that are configured. */
export async function createSources(store: Store, config: SourcesConfig, tools: SourceTools) {
  const { monotonic, logger } = tools;
  const { deadlineMs, profileMaxAgeMs: maxAgeMs, gateways, badgeEvents } = config;
  const kinds = sourceKindsOf(config);
  if (kinds.names === 'none') logger.info('no name source configured, serving imported profiles');
  if (kinds.badges === 'none') logger.info('no badge source configured, serving imported badges');
  const metrics = createSourceMetrics();
  const lookups = createSourceQueue({
    name: kinds.names,
    // Of the time of a slow lookup, most is spent waiting for a gateway, not for the node.
    concurrency: MAX_ENS_LOOKUPS,
    callsPerSecond: config.requestsPerSecond,
    maxWaiting: MAX_QUEUED,
    maxWaitMs: deadlineMs,
    holdMs: deadlineMs,
    monotonic,
    logger,
    metrics,
  });
  const calls = createFairQueue({
    concurrency: CONCURRENCY,
    maxWaiting: MAX_QUEUED,
    maxWaitMs: config.timeoutMs,
    refuse: () => new BusyError(kinds.names, 'too many requests wait'),
  });
  const unmeasured = await createProfileSource(config, {
    ...tools,
    fetch: (...request) =>
      calls.run(currentClient(), () => {
        lookups.spend();
        metrics.requested(kinds.names);
        return tools.fetch(...request);
      }),
    onGatewayFailure: metrics.gatewayFailed,
  });
  const source = unmeasured && measureProfileSource(unmeasured, metrics);
  /** Another command may fill the database with a demo at any time. */
  const transaction: Store['transaction'] = (work) =>
    store.transaction(async (tx) => {
      await requireNoDemo(tx);
      return work(tx);
    });
  const common = { ...tools, store: { reader: store.reader, transaction }, deadlineMs, sleep };
  const asked = source && { ...common, source, ask: lookups.ask, maxAgeMs };
  const profiles = asked ? createProfileRefresher({ ...asked, gateways }) : noProfileRefresher;
  const names = asked && createNameResolver({ ...asked, renew: profiles.renew });
  const badges =
    config.badges.kind === 'none'
      ? null
      : createPoapBadgeSource({
          ...common,
          client: createPoapClient({ ...config.badges, ...tools, timeoutMs: config.timeoutMs }),
          events: badgeEvents,
          heldMs: config.badgeHeldMs,
          notHeldMs: config.badgeNotHeldMs,
          concurrency: CONCURRENCY,
          maxQueued: MAX_QUEUED,
          callsPerSecond: config.requestsPerSecond,
          metrics,
        });
  tools.signal.addEventListener('abort', () => void badges?.close(), { once: true });
  const close = async () => void (await Promise.all([profiles.close(), badges?.close()]));
  return { metrics: metrics.metrics, kinds, names, profiles, badges, badgeEvents, close };
}
