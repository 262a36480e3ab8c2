import type { Hex } from '../protocol/hex.ts';

/** Why a request to a remote service failed. */
export type RemoteFault =
  | { readonly kind: 'unreachable'; readonly message: string }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'http'; readonly status: number; readonly retryAfterMs: number | null }
  | { readonly kind: 'malformed'; readonly message: string }
  /** The rest of the response was not read. */
  | { readonly kind: 'oversized'; readonly maxBytes: number }
  /** Well-formed, but refuted by other data. */
  | { readonly kind: 'contradicted'; readonly message: string }
  /** A JSON-RPC error: a retry may be pointless. `data` is the revert data of a contract call. */
  | { readonly kind: 'refused'; readonly code: number; readonly message: string; readonly data?: Hex };

/** A failed request to one host. The message omits the URL, which may contain a key. */
export class RemoteError extends Error {
  override name = 'RemoteError';
  readonly fault: RemoteFault;

  constructor(host: string, label: string, fault: RemoteFault) {
    super(`${host}: ${label}: ${describe(fault)}`);
    this.fault = fault;
  }
}

/** The rate limit of a source is reached, so the request is not sent. */
export class BusyError extends RemoteError {
  override name = 'BusyError';

  constructor(host: string, message: string) {
    super(host, 'limit', { kind: 'unreachable', message });
  }
}

function describe(fault: RemoteFault): string {
  switch (fault.kind) {
    case 'unreachable':
      return `unreachable: ${fault.message}`;
    case 'timeout':
      return 'timed out';
    case 'http':
      return `responded with HTTP status ${fault.status}`;
    case 'malformed':
      return `returned an invalid response: ${fault.message}`;
    case 'oversized':
      return `returned an invalid response: more than ${fault.maxBytes} bytes`;
    case 'contradicted':
      return `returned a contradicted response: ${fault.message}`;
    case 'refused':
      return `rejected the request with code ${fault.code}: ${fault.message}`;
  }
}

/** Returns a `RemoteError` as a value, and rethrows any other error, which is not specific to one request. */
export function requireRemote(error: unknown): RemoteError {
  if (error instanceof RemoteError) return error;
  throw error;
}

/** Whether a retry of the same request may succeed. */
export function isTransient(fault: RemoteFault): boolean {
  if (fault.kind === 'http') return fault.status === 429 || fault.status >= 500;
  return fault.kind === 'timeout' || fault.kind === 'unreachable';
}
