/** Stable codes of the errors that end a command or stop a chain. docs/errors.md says what to do about each. */
export const ERROR_CODES = [
  'E_USAGE',
  'E_CONFIG',
  'E_BAD_INPUT',
  'E_OUTPUT',
  'E_DOWNLOAD',
  'E_DATABASE_UNAVAILABLE',
  'E_READ_ONLY_DATABASE',
  'E_DATABASE_RESTARTING',
  'E_NO_DATABASE',
  'E_DATABASE_CORRUPT',
  'E_TRANSACTION_POOLER',
  'E_NEWER_DATABASE',
  'E_OLDER_DATABASE',
  'E_DEMO_DATABASE',
  'E_DEEP_REORG',
  'E_WRONG_CHAIN',
  'E_NODE_UNAVAILABLE',
  'E_OTHER_DEPLOYMENT',
  'E_EARLIER_START_BLOCK',
  'E_DIFFERENT_LOGS',
  'E_INDEXER_RUNNING',
  'E_LOCK_LOST',
  'E_CURSOR_MOVED',
  'E_PORT_IN_USE',
  'E_LISTEN',
  'E_WORKERS',
  'E_TEMPORARY_SPACE',
  'E_OPEN_FILES',
  'E_SHUTDOWN',
  'E_NODE_VERSION',
  'E_NOT_BUILT',
  'E_INTERNAL',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/** An error that an operator can act on: its message is complete without a stack trace. */
export abstract class OperatorError extends Error {
  override name = this.constructor.name;
  abstract readonly code: ErrorCode;
}

/** An error that ends a command, identified by its code. */
export class CommandError extends OperatorError {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The logs of the database are from other contracts than those of the configured deployment. */
export class OtherDeploymentError extends OperatorError {
  readonly code = 'E_OTHER_DEPLOYMENT';

  constructor(chainId: number, deployment: string) {
    super(
      `DEPLOYMENT: the logs of the database are from other contracts on chain ${chainId} than those of the deployment ${deployment}; use the former deployment, or another database`,
    );
  }
}

/** The folder for temporary files is missing or full, or too many files are open. */
export class TemporarySpaceError extends OperatorError {
  readonly code = 'E_TEMPORARY_SPACE';
}

export interface ErrorDescription {
  readonly text: string;
  readonly code: ErrorCode;
}

/** Whether the limit of open files of the process, or of the system, was reached. */
export function isOutOfFiles(error: unknown): boolean {
  const { code } = (error ?? {}) as NodeJS.ErrnoException;
  return code === 'EMFILE' || code === 'ENFILE';
}

/** The text and the code to print for an error that ends a command. */
export function describeError(error: unknown): ErrorDescription {
  if (error instanceof OperatorError) return { text: error.message, code: error.code };
  if (isOutOfFiles(error)) return { text: (error as Error).message, code: 'E_OPEN_FILES' };
  return { text: (error as Error).stack ?? String(error), code: 'E_INTERNAL' };
}
