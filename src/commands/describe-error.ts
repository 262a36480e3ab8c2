import { type ErrorCode, OperatorError } from '../errors/operator-error.ts';

export interface ErrorDescription {
  readonly text: string;
  readonly code: ErrorCode;
}

/** The text and the code to print for an error that ends a command. */
export function describeError(error: unknown): ErrorDescription {
  if (error instanceof OperatorError) return { text: error.message, code: error.code };
  return { text: (error as Error).stack ?? String(error), code: 'E_INTERNAL' };
}
