/** A node of another chain than the one it was configured for: nothing it says can be used. */
export class WrongChainError extends Error {
  override name = 'WrongChainError';

  constructor(host: string, expected: number, got: number) {
    super(`RPC_URL_${expected}: ${host} is a node of chain ${got}, not of chain ${expected}`);
  }
}
