import { CommandError } from '../errors/operator-error.ts';

const SYSCALLS = ['listen', 'bind', 'getaddrinfo'];

/** Waits for a listener. Its error names the setting of the port. */
export async function withListenError<T>(variable: string, listening: Promise<T>): Promise<T> {
  try {
    return await listening;
  } catch (error) {
    const { syscall = '', code, message } = error as NodeJS.ErrnoException;
    if (!SYSCALLS.includes(syscall)) throw error;
    throw new CommandError(code === 'EADDRINUSE' ? 'E_PORT_IN_USE' : 'E_LISTEN', `HOST, ${variable}: ${message}`);
  }
}
