import { BadInputError } from '../../src/errors/bad-input.ts';

/** The field that an error about bad input names, before the colon of its message; undefined without an error. */
export function blamedField(parse: () => unknown): string | undefined {
  try {
    parse();
  } catch (error) {
    if (error instanceof BadInputError) return error.message.split(':')[0];
    throw error;
  }
  return undefined;
}
