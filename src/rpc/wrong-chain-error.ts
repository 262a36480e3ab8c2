import { OperatorError } from '../errors/operator-error.ts';

/** The chain id of a node is not the configured one. */
export class WrongChainError extends OperatorError {
  override name = 'WrongChainError';
  readonly code = 'E_WRONG_CHAIN';

  constructor(host: string, expected: number, got: number) {
    super(`RPC_URL_${expected}: ${host} is a node of chain ${got}, not of chain ${expected}`);
  }
}
