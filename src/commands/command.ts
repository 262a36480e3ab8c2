import type { Readable } from 'node:stream';
import type { ParseArgsConfig } from 'node:util';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';

type Output = NodeJS.WritableStream & { isTTY?: boolean };

/** What a command may use of the process. */
export interface Context {
  readonly config: Config;
  readonly logger: Logger;
  readonly stdin: Readable;
  /** For what was asked for. */
  readonly stdout: Output;
  /** For what is said on the way. */
  readonly stderr: Output;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Aborted when the process is asked to end; only for commands that say they heed it. */
  readonly signal: AbortSignal;
}

export interface Arguments {
  readonly words: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
}

export interface Command {
  /** What follows the command's name. */
  readonly usage: string;
  readonly help: string;
  readonly options?: NonNullable<ParseArgsConfig['options']>;
  /** Whether it ends by itself when asked to. The others are simply killed: what they have not committed never was. */
  readonly isLongRunning?: boolean;
  run(context: Context, args: Arguments): Promise<void>;
}

/** The command line asks for something that cannot be; the message says what. */
export class UsageError extends Error {
  override name = 'UsageError';
}

export function refuseWords({ words }: Arguments): void {
  if (words.length > 0) throw new UsageError(`unexpected argument ${JSON.stringify(words[0])}`);
}

/** The whole number of an option. */
export function integerOption({ options }: Arguments, name: string, min: number, fallback: number): number {
  const text = options[name];
  if (text === undefined) return fallback;
  const number = typeof text === 'string' && /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= min) return number;
  throw new UsageError(`--${name}: expected a whole number of at least ${min}, got ${JSON.stringify(text)}`);
}
