import type { Logger } from 'pino';
import type { UnixMs } from '../../async/unix-time.ts';
import type { Limiter } from '../../remote/limiter.ts';
import type { ProfileSource } from '../profile-source.ts';

/** How a source is used while a client waits for the response. */
export interface OnDemandOptions {
  readonly source: ProfileSource;
  /** Concurrency limit on requests to the source. */
  readonly limiter: Limiter;
  /** A stored profile that is older is stale. */
  readonly maxAgeMs: number;
  /** How long a response waits for the source. */
  readonly deadlineMs: number;
  readonly now: () => UnixMs;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}
