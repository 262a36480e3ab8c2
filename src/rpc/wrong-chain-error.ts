/** The chain id of a node is not the configured one. */
export class WrongChainError extends Error {
  override name = 'WrongChainError';

  constructor(host: string, expected: number, got: number) {
    super(`RPC_URL_${expected}: ${host} is a node of chain ${got}, not of chain ${expected}`);
  }
}
