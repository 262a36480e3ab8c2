/** At most this many requests of one client address in a window. */
export interface RateLimit {
  readonly requests: number;
  readonly seconds: number;
}

/** What clients may use of a serving process. */
export interface HttpLimits {
  /** Open connections; further ones are closed at once. */
  readonly maxConnections: number;
  /** Requests are rejected while the event loop is later than this; 0: never. */
  readonly maxEventLoopDelayMs: number;
  /** Addresses and subnets of proxies, separated by commas, whose X-Forwarded-For names the client. */
  readonly trustProxy: string | false;
  /** Null: no limit. */
  readonly rateLimit: RateLimit | null;
  /** For requests with `cache=fresh`, which may call remote sources. */
  readonly freshRateLimit: RateLimit | null;
}
