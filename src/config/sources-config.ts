import type { ImageGateways } from '../names/image-url.ts';

export type NameSourceConfig =
  | { readonly kind: 'enstate'; readonly url: string }
  | { readonly kind: 'chain'; readonly chainId: number; readonly urls: readonly string[] }
  | { readonly kind: 'none' };

export type BadgeSourceConfig =
  | { readonly kind: 'poap'; readonly url: string; readonly key: string }
  | { readonly kind: 'none' };

export interface SourcesConfig {
  readonly names: NameSourceConfig;
  readonly profileMaxAgeMs: number;
  /** 0: profiles are fetched only when they are asked for. */
  readonly nameRequestsPerSecond: number;
  readonly ccipRead: boolean;
  readonly gateways: ImageGateways;
  readonly badges: BadgeSourceConfig;
  /** Known events, in the order of answers. */
  readonly badgeEvents: readonly string[];
  readonly badgeHeldMs: number;
  readonly badgeNotHeldMs: number;
  /** How long a source may take to answer. */
  readonly timeoutMs: number;
  /** How long an answer to somebody waits for it. */
  readonly deadlineMs: number;
}
