import { type ErrorCode, OperatorError } from '../protocol/operator-error.ts';

export interface ErrorDescription {
  readonly text: string;
  readonly code: ErrorCode;
}

/** The text and the code to print for an error that ends a command. */
export function describeError(error: unknown): ErrorDescription {
  if (error instanceof OperatorError) return { text: error.message, code: error.code };
  const { message, stack, code, syscall } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') return { text: `HOST, PORT: ${message}`, code: 'E_PORT_IN_USE' };
  if (syscall === 'listen' || syscall === 'bind') return { text: `HOST, PORT: ${message}`, code: 'E_LISTEN' };
  return { text: stack ?? String(error), code: 'E_INTERNAL' };
}
