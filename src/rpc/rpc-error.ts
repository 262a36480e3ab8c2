/** Why a node did not give what it was asked for. */
export type RpcFault =
  | { readonly kind: 'unreachable'; readonly message: string }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'http'; readonly status: number; readonly retryAfterMs: number | null }
  | { readonly kind: 'malformed'; readonly message: string }
  /** The node understood and refused: asking the same again may be pointless. */
  | { readonly kind: 'refused'; readonly code: number; readonly message: string };

/** A fault of one node, told without its URL: that carries a key. */
export class RpcError extends Error {
  override name = 'RpcError';
  readonly fault: RpcFault;

  constructor(host: string, method: string, fault: RpcFault) {
    super(`${host}: ${method}: ${describe(fault)}`);
    this.fault = fault;
  }
}

function describe(fault: RpcFault): string {
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

/** A node of another chain than the one it was configured for: nothing it says can be used. */
export class WrongChainError extends Error {
  override name = 'WrongChainError';

  constructor(host: string, expected: number, got: number) {
    super(`RPC_URL_${expected}: ${host} is a node of chain ${got}, not of chain ${expected}`);
  }
}
