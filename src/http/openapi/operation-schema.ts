import type { TSchema } from '@sinclair/typebox';
import { EXAMPLES } from '../generated/examples.ts';
import type { Parameters } from '../parameters.ts';
import { INCOMPLETE } from '../server/incomplete.ts';
import { operationIdOf } from './operation-id.ts';
import { type ProblemStatus, problemResponses } from './problem-responses.ts';

/** What the OpenAPI document says of an operation. */
export interface Operation {
  /** Without the prefix of the API. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly params?: Parameters;
  readonly query?: Parameters;
  readonly body?: object;
  readonly response: TSchema;
  /** `application/json` by default. */
  readonly mediaType?: string;
  readonly problems: readonly ProblemStatus[];
  /** Whether answers are cached and revalidated. */
  readonly isCached?: boolean;
  /** Whether answers are pages, which link to the next one. */
  readonly isPaged?: boolean;
  /** Whether the answer is a redirect, and `response` the schema of its URL. */
  readonly isRedirect?: boolean;
}

const LOOKUP_HEADERS = {
  [INCOMPLETE]: {
    type: 'string',
    enum: ['loading'],
    description:
      'Only during the first load: the answer lacks what has not been read yet. `/status` says how far it is.',
  },
};
const CACHE_HEADERS = {
  ...LOOKUP_HEADERS,
  ETag: { type: 'string', description: 'Identifies the content of the answer, for `If-None-Match`.' },
  'Cache-Control': { type: 'string', description: '`no-cache`: the answer may be kept if it is revalidated.' },
  'X-Cache': {
    type: 'string',
    enum: ['HIT', 'MISS', 'FRESH'],
    description: 'From the cache, computed now, or requested with `cache=fresh`.',
  },
};
const PAGE_HEADERS = {
  Link: { type: 'string', description: 'The next page, `<?cursor=…>; rel="next"` (RFC 8288); absent on the last one.' },
};
const LOCATION = { type: 'string', description: 'Where the browser goes on.' };
const NOT_MODIFIED = {
  description: 'The answer still has the `ETag` that `If-None-Match` names. There is no body.',
  type: 'null',
  headers: CACHE_HEADERS,
};

const headersOf = (isPaged: boolean) => ({ ...CACHE_HEADERS, ...(isPaged ? PAGE_HEADERS : {}) });

/** The Fastify schema of an operation. It documents the route and neither validates nor serialises. */
export function operationSchema(operation: Operation): object {
  const { path, tag, summary, description, params, query, body, response, problems, isCached = false } = operation;
  const { mediaType = 'application/json', isPaged = false, isRedirect = false } = operation;
  const operationId = operationIdOf(path);
  const example = EXAMPLES[operationId];
  return {
    operationId,
    tags: [tag],
    summary,
    description,
    ...(params === undefined ? {} : { params: objectSchemaOf(params) }),
    ...(query === undefined ? {} : { querystring: objectSchemaOf(query) }),
    ...(body === undefined ? {} : { body }),
    response: {
      ...(isRedirect
        ? { 302: { description: response.description, type: 'null', headers: { Location: LOCATION } } }
        : {
            200: {
              description: response.description,
              ...(tag === 'operations' ? {} : { headers: isCached ? headersOf(isPaged) : LOOKUP_HEADERS }),
              content: { [mediaType]: { schema: response, ...(example === undefined ? {} : { example }) } },
            },
          }),
      ...(isCached ? { 304: NOT_MODIFIED } : {}),
      ...problemResponses(problems),
    },
  };
}

function objectSchemaOf(parameters: Parameters): object {
  const entries = Object.entries(parameters);
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, { schema }]) => [name, schema])),
    required: entries.filter(([, { defaultValue }]) => defaultValue === undefined).map(([name]) => name),
  };
}
