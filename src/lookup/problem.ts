/** Reasons why a lookup has no result. */
export type ProblemCode = 'unknown-list' | 'unknown-name' | 'names-not-resolved' | 'no-avatar';

/** Thrown by a lookup that has no result; `detail` is shown to the client. */
export class ProblemError extends Error {
  override name = 'ProblemError';
  readonly code: ProblemCode;

  constructor(code: ProblemCode, detail: string, options?: ErrorOptions) {
    super(detail, options);
    this.code = code;
  }
}
