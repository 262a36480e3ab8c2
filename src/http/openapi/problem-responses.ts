import { Problem } from '../../contract/schemas.ts';
import { bodyOf, HttpProblem, PROBLEMS, type ProblemCode } from '../problems.ts';

/** `Problem` with the codes that are sent. */
const PROBLEM_SCHEMA = {
  ...Problem,
  properties: {
    ...Problem.properties,
    code: {
      ...Problem.properties.code,
      enum: Object.keys(PROBLEMS).filter((code) => code !== ('client-closed-request' satisfies ProblemCode)),
    },
  },
};

const RETRY_AFTER = {
  'Retry-After': { type: 'integer', minimum: 0, description: 'Seconds after which the request may be sent again.' },
};

/** The problems of a status, each with a detail that is shown as an example. */
const respond = (description: string, details: Partial<Record<ProblemCode, string>>, headers?: object) => ({
  description,
  ...(headers === undefined ? {} : { headers }),
  content: {
    'application/problem+json': {
      schema: PROBLEM_SCHEMA,
      examples: Object.fromEntries(
        Object.entries(details).map(([code, detail]) => [
          code,
          // Safe: the keys are codes.
          { summary: PROBLEMS[code as ProblemCode].title, value: exampleOf(code as ProblemCode, detail) },
        ]),
      ),
    },
  },
});

function exampleOf(code: ProblemCode, detail: string): unknown {
  return JSON.parse(bodyOf(new HttpProblem(code, detail)));
}

const RESPONSES = {
  400: respond('A parameter or the body is invalid; `detail` names what is wrong.', {
    'invalid-parameter': 'limit must be an integer from 1, got "0"',
    'malformed-request': 'the body is not valid JSON',
  }),
  404: respond(
    'The list does not exist or was burned, the name resolves to no address, or it is not stored and the service has no source of names, or the account has no avatar.',
    {
      'unknown-list': 'there is no list 999999',
      'unknown-name': 'no account holds the name nobody.eth',
      'names-not-resolved': 'this service does not resolve names, and no stored profile has the name nobody.eth',
      'no-avatar': '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266 has no avatar with an http or https URL',
    },
  ),
  413: respond('The body is larger than 128 KiB.', { 'body-too-large': 'Request body is too large' }),
  415: respond('The content type is not `application/json`.', {
    'unsupported-media-type': 'Unsupported Media Type',
  }),
  429: respond(
    'More requests of one address than the setting `RATE_LIMIT` allows.',
    { 'rate-limited': 'more than 600 requests in 60 seconds' },
    RETRY_AFTER,
  ),
  500: respond('An unexpected error; its cause is in the log of the server.', {
    internal: 'internal error, see the server log',
  }),
  503: respond(
    'The server is overloaded, or the database or a source of names or badges is unavailable.',
    {
      overloaded: 'the service is overloaded, retry later',
      unavailable: 'the database is unavailable, retry later',
    },
    RETRY_AFTER,
  ),
};

export type ProblemStatus = keyof typeof RESPONSES;

/** The documentation of problems with these statuses. */
export function problemResponses(statuses: readonly ProblemStatus[]): object {
  return Object.fromEntries(statuses.map((status) => [status, RESPONSES[status]]));
}
