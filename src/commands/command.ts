import type { Readable } from 'node:stream';
import type { ParseArgsConfig } from 'node:util';
import type { Logger } from 'pino';
import type { MonotonicMs, UnixMs } from '../async/unix-time.ts';
import type { Config } from '../config/config.ts';
import { OperatorError } from '../errors/operator-error.ts';

export type Output = NodeJS.WritableStream & { isTTY?: boolean };

/** What a command may use of the process. */
export interface Context {
  /** The name of the command. */
  readonly command: string;
  readonly config: Config;
  readonly logger: Logger;
  readonly stdin: Readable;
  /** For results. */
  readonly stdout: Output;
  /** For logs and progress. */
  readonly stderr: Output;
  readonly now: () => UnixMs;
  readonly monotonic: () => MonotonicMs;
  /** Aborted with a `Shutdown`; only for commands with `isLongRunning`. */
  readonly signal: AbortSignal;
  /** Registers what is done before a signal ends the process. Returns a function that undoes this. */
  readonly onKilled: (cleanUp: () => void) => () => void;
  /** Whether another command runs this one in a child process. */
  readonly isSupervised: boolean;
}

export interface Arguments {
  readonly positionals: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
}

export interface Command {
  /** Arguments, as shown in the usage line. */
  readonly usage: string;
  readonly help: string;
  readonly options?: NonNullable<ParseArgsConfig['options']>;
  /** The most arguments that it takes besides options, if it takes any. */
  readonly maxPositionals?: number;
  /** Shuts down gracefully on a signal. Other commands are killed, and their open transaction is rolled back. */
  readonly isLongRunning?: boolean;
  /** Whether it uses a service that the arguments name instead of the database. */
  isRemote?(args: Arguments): boolean;
  run(context: Context, args: Arguments): Promise<void>;
}

/** Why a command has to end. `disconnect` means that the parent process is gone. */
export class Shutdown extends Error {
  override name = 'Shutdown';
  readonly by: 'SIGTERM' | 'SIGINT' | 'SIGHUP' | 'disconnect';

  constructor(by: Shutdown['by']) {
    super(`shut down by ${by}`);
    this.by = by;
  }
}

/** Whether a process manager asked for the shutdown, which means that a load balancer may send requests. */
export function isSigterm({ reason }: AbortSignal): boolean {
  return reason instanceof Shutdown && reason.by === 'SIGTERM';
}

/** An invalid command line. */
export class UsageError extends OperatorError {
  readonly code = 'E_USAGE';
}

export function integerOption({ options }: Arguments, name: string, min: number, fallback: number): number {
  const text = options[name];
  if (text === undefined) return fallback;
  const number = typeof text === 'string' && /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= min) return number;
  throw new UsageError(`--${name}: expected a whole number of at least ${min}, got ${JSON.stringify(text)}`);
}
