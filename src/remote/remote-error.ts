import type { Hex } from '../protocol/hex.ts';

/** Why somebody else's service did not give what it was asked for. */
export type RemoteFault =
  | { readonly kind: 'unreachable'; readonly message: string }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'http'; readonly status: number; readonly retryAfterMs: number | null }
  | { readonly kind: 'malformed'; readonly message: string }
  /** It understood and refused: asking the same again may be pointless. `data` is what a contract reverted with. */
  | { readonly kind: 'refused'; readonly code: number; readonly message: string; readonly data?: Hex };

/** A fault of one host, told without its URL: that carries a key. */
export class RemoteError extends Error {
  override name = 'RemoteError';
  readonly fault: RemoteFault;

  constructor(host: string, label: string, fault: RemoteFault) {
    super(`${host}: ${label}: ${describe(fault)}`);
    this.fault = fault;
  }
}

function describe(fault: RemoteFault): string {
  switch (fault.kind) {
    case 'unreachable':
      return `cannot be reached: ${fault.message}`;
    case 'timeout':
      return 'did not answer in time';
    case 'http':
      return `answered with HTTP status ${fault.status}`;
    case 'malformed':
      return `answered with something that is not an answer: ${fault.message}`;
    case 'refused':
      return `refused with code ${fault.code}: ${fault.message}`;
  }
}

/** Passes a fault of a service on; anything else, such as the end of the process, concerns more than one question. */
export function requireRemote(error: unknown): RemoteError {
  if (error instanceof RemoteError) return error;
  throw error;
}

/** Whether the same question may be answered in a while. */
export function mayPass(fault: RemoteFault): boolean {
  switch (fault.kind) {
    case 'timeout':
    case 'unreachable':
      return true;
    case 'http':
      return fault.status === 429 || fault.status >= 500;
    case 'malformed':
    case 'refused':
      return false;
  }
}
