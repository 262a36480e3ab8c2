import { HttpError, type Request } from './request.ts';

export interface ChainStatus {
  readonly chainId: number;
  readonly indexed: { readonly number: number; readonly hash: string; readonly timestamp: number };
  /** Null, like the fields below, for a chain that is not indexed. */
  readonly head: number | null;
  readonly finalized: number | null;
  readonly lagBlocks: number | null;
  readonly lagSeconds: number | null;
}

export interface ChainFault {
  readonly chainId: number;
  readonly code: string;
  readonly message: string;
  readonly since: string;
}

export interface Status {
  readonly engine: string;
  readonly dataVersion: number;
  readonly counts: Readonly<
    Record<'logs' | 'unfoldedLogs' | 'ignoredOps' | 'lists' | 'accounts' | 'follows' | 'ranked', number>
  >;
  readonly ranksMadeAt: string | null;
  readonly chains: readonly ChainStatus[];
  readonly faults: readonly ChainFault[];
  readonly sources: { readonly names: string; readonly badges: string };
}

const URL_OF_STATUS = '/status';

/** The status of the service, which is not a lookup and is never cached. */
export function status(): Request<Status> {
  return {
    url: URL_OF_STATUS,
    async load(signal) {
      const response = await fetch(URL_OF_STATUS, { signal });
      const body = await response.json();
      if (!response.ok) throw new HttpError(response.status, body.detail);
      return body;
    },
  };
}
