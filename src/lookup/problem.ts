/** Error responses by their stable code. */
export const PROBLEMS = {
  'invalid-parameter': { status: 400, title: 'Invalid parameter' },
  'malformed-request': { status: 400, title: 'Malformed request' },
  'unknown-list': { status: 404, title: 'Unknown list' },
  'unknown-name': { status: 404, title: 'Unknown name' },
  'unknown-path': { status: 404, title: 'Unknown path' },
  'method-not-allowed': { status: 405, title: 'Method not allowed' },
  'request-timeout': { status: 408, title: 'Request timeout' },
  'request-too-large': { status: 431, title: 'Request too large' },
  internal: { status: 500, title: 'Internal error' },
  unavailable: { status: 503, title: 'Temporarily unavailable' },
} as const;

export type ProblemCode = keyof typeof PROBLEMS;

/** Thrown for a request that cannot be answered; `detail` is part of the response. */
export class ProblemError extends Error {
  override name = 'ProblemError';
  readonly code: ProblemCode;

  constructor(code: ProblemCode, detail: string, options?: ErrorOptions) {
    super(detail, options);
    this.code = code;
  }
}
