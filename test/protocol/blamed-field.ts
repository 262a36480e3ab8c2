import { BadInputError } from '../../src/protocol/bad-input.ts';

/** The field that bad input is refused for: what stands before the colon of the message; undefined when nothing is refused. */
export function blamedField(parse: () => unknown): string | undefined {
  try {
    parse();
  } catch (error) {
    if (error instanceof BadInputError) return error.message.split(':')[0];
    throw error;
  }
  return undefined;
}
