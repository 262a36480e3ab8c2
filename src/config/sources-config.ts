import type { ImageGateways } from '../names/image-url.ts';

export type NameSourceConfig =
  | { readonly kind: 'chain'; readonly chainId: number; readonly urls: readonly string[] }
  | { readonly kind: 'none' };

export type BadgeSourceConfig =
  | { readonly kind: 'poap'; readonly url: string; readonly key: string }
  | { readonly kind: 'none' };

export interface SourcesConfig {
  readonly names: NameSourceConfig;
  readonly profileMaxAgeMs: number;
  /** Rate limit of the background refresh; 0 disables it. */
  readonly nameRequestsPerSecond: number;
  readonly ccipRead: boolean;
  readonly gateways: ImageGateways;
  readonly badges: BadgeSourceConfig;
  /** In response order. */
  readonly badgeEvents: readonly string[];
  readonly badgeHeldMs: number;
  readonly badgeNotHeldMs: number;
  /** Rate limit of the requests to each source that clients of this process cause. */
  readonly requestsPerSecond: number;
  /** Timeout of one request to a source. */
  readonly timeoutMs: number;
  /** How long a response waits for a source. */
  readonly deadlineMs: number;
}
