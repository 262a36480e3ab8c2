import { describe, expect, it } from 'vitest';
import { withListenError } from '../../src/commands/listen.ts';

describe('withListenError', () => {
  it.each([
    ['EADDRINUSE', 'listen', 'E_PORT_IN_USE'],
    ['EADDRINUSE', 'bind', 'E_PORT_IN_USE'],
    ['EACCES', 'listen', 'E_LISTEN'],
    ['EADDRNOTAVAIL', 'listen', 'E_LISTEN'],
    ['ENOTFOUND', 'getaddrinfo', 'E_LISTEN'],
  ])('rejects for %s of %s with the code %s and the variables to check', async (code, syscall, expected) => {
    const error = Object.assign(new Error('cannot listen'), { code, syscall });
    await expect(withListenError('OPERATIONS_PORT', Promise.reject(error))).rejects.toMatchObject({
      message: 'HOST, OPERATIONS_PORT: cannot listen',
      code: expected,
    });
  });

  it('rejects with any other error as it is', async () => {
    const error = new TypeError('x is not a function');
    await expect(withListenError('PORT', Promise.reject(error))).rejects.toBe(error);
  });
});
