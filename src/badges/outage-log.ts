import type { Logger } from 'pino';
import { BusyError } from '../remote/limiter.ts';
import { RemoteError } from '../remote/remote-error.ts';

export type OutageLog = ReturnType<typeof createOutageLog>;

/** Logs the start and the end of an outage once, not with every failed request. */
export function createOutageLog(logger: Pick<Logger, 'error' | 'warn' | 'info' | 'debug'>) {
  let loggedRejectedKey = false;
  let loggedOutage = false;
  return {
    onFailure(error: unknown): void {
      if (error instanceof BusyError) return;
      logger.debug({ err: error }, 'badge fetch failed');
      const status = rejectedKeyStatus(error);
      if (status !== null && !loggedRejectedKey) {
        loggedRejectedKey = true;
        logger.error(
          `POAP rejected the API key (HTTP ${status}), serving stored badges: set POAP_API_KEY to a valid key`,
        );
      }
      if (status === null && !loggedOutage) {
        loggedOutage = true;
        logger.warn({ err: error }, 'POAP unavailable, serving stored badges');
      }
    },
    onSuccess(): void {
      if (loggedRejectedKey || loggedOutage) logger.info('POAP available again');
      loggedRejectedKey = false;
      loggedOutage = false;
    },
  };
}

function rejectedKeyStatus(error: unknown): 401 | 403 | null {
  if (!(error instanceof RemoteError) || error.fault.kind !== 'http') return null;
  const { status } = error.fault;
  return status === 401 || status === 403 ? status : null;
}
