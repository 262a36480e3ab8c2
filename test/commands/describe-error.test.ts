import { describe, expect, it } from 'vitest';
import { UsageError } from '../../src/commands/command.ts';
import { describeError } from '../../src/errors/operator-error.ts';

describe('describeError', () => {
  it('returns message and code of an error that an operator can act on', () => {
    expect(describeError(new UsageError('unexpected argument "now"'))).toEqual({
      text: 'unexpected argument "now"',
      code: 'E_USAGE',
    });
  });

  it('returns the stack trace of an unexpected error', () => {
    const error = new TypeError('x is not a function');
    expect(describeError(error)).toEqual({ text: error.stack, code: 'E_INTERNAL' });
  });

  it('accepts a thrown value that is not an error', () => {
    expect(describeError('nothing')).toEqual({ text: 'nothing', code: 'E_INTERNAL' });
  });
});
