import { type ErrorCode, OperatorError } from '../errors/operator-error.ts';

/** The process cannot listen on an address. */
class ListenError extends OperatorError {
  readonly code: ErrorCode;

  constructor(variable: string, { code, message }: NodeJS.ErrnoException) {
    super(`HOST, ${variable}: ${message}`);
    this.code = code === 'EADDRINUSE' ? 'E_PORT_IN_USE' : 'E_LISTEN';
  }
}

const SYSCALLS = ['listen', 'bind', 'getaddrinfo'];

/** Waits for a listener. Its error names the setting of the port. */
export async function withListenError<T>(variable: string, listening: Promise<T>): Promise<T> {
  try {
    return await listening;
  } catch (error) {
    const { syscall = '' } = error as NodeJS.ErrnoException;
    throw SYSCALLS.includes(syscall) ? new ListenError(variable, error as Error) : error;
  }
}
