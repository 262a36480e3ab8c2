import type { Logger } from 'pino';
import { RemoteError } from '../remote/remote-error.ts';

/** Says what keeps badges from being known, once until it is over: every request would say it again. */
export interface OutageLog {
  failed(error: unknown): void;
  worked(): void;
}

export function createOutageLog(logger: Pick<Logger, 'error' | 'warn' | 'info' | 'debug'>): OutageLog {
  let saidKey = false;
  let saidFault = false;
  return {
    failed(error) {
      logger.debug({ err: error }, 'a badge could not be fetched');
      const status = refusalOf(error);
      if (status !== null && !saidKey) {
        saidKey = true;
        logger.error(
          `POAP refuses the key (HTTP ${status}): set POAP_API_KEY to a valid one; badges are served as last known`,
        );
      }
      if (status === null && !saidFault) {
        saidFault = true;
        logger.warn({ err: error }, 'POAP does not tell who holds a badge; badges are served as last known');
      }
    },
    worked() {
      if (saidKey || saidFault) logger.info('POAP tells again who holds a badge');
      saidKey = false;
      saidFault = false;
    },
  };
}

function refusalOf(error: unknown): 401 | 403 | null {
  if (!(error instanceof RemoteError) || error.fault.kind !== 'http') return null;
  const { status } = error.fault;
  return status === 401 || status === 403 ? status : null;
}
