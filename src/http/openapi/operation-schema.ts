import type { TSchema } from '@sinclair/typebox';
import { PROBLEM_CODES, PROBLEMS, type ProblemCode } from '../../contract/problems.ts';
import { Problem } from '../../contract/schemas.ts';
import { bodyOf, HttpProblem, INCOMPLETE } from '../problems.ts';
import { after, cache, type Parameters, format as tableFormat } from '../request/parameters.ts';
import { csvColumns, rowSchema } from '../request/tables.ts';
import { type Group, MEDIA_TYPES, type Route } from '../routes/route.ts';

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
export const PAGE_HEADERS = {
  Link: { type: 'string', description: 'The next page, `<?cursor=…>; rel="next"` (RFC 8288); absent on the last one.' },
};
const LOCATION = { type: 'string', description: 'Where the browser goes on.' };
const NOT_MODIFIED = {
  description: 'The answer still has the `ETag` that `If-None-Match` names. There is no body.',
  type: 'null',
  headers: CACHE_HEADERS,
};

/** `Problem` with the codes that are sent. */
const PROBLEM_SCHEMA = {
  ...Problem,
  properties: {
    ...Problem.properties,
    code: {
      ...Problem.properties.code,
      enum: PROBLEM_CODES.filter((code) => code !== ('client-closed-request' satisfies ProblemCode)),
    },
  },
};

const RETRY_AFTER = {
  'Retry-After': { type: 'integer', minimum: 0, description: 'Seconds after which the request may be sent again.' },
};

/** The problems of a status that have an example. */
const respond = (status: number, description: string, headers?: object) => ({
  description,
  ...(headers === undefined ? {} : { headers }),
  content: {
    'application/problem+json': {
      schema: PROBLEM_SCHEMA,
      examples: Object.fromEntries(
        PROBLEM_CODES.flatMap((code) => {
          const problem = PROBLEMS[code];
          if (problem.status !== status || !('example' in problem)) return [];
          const value: unknown = JSON.parse(bodyOf(new HttpProblem(code, problem.example)));
          return [[code, { summary: problem.title, value }]];
        }),
      ),
    },
  },
});

const RESPONSES = {
  400: respond(400, 'A parameter or the body is invalid; `detail` names what is wrong.'),
  404: respond(
    404,
    'The list does not exist or was burned, the name resolves to no address, or it is not stored and the service has no source of names, or the account has no avatar.',
  ),
  409: respond(
    409,
    'The position is above what this server has indexed, also after 10 seconds. For `text/event-stream` it is sent as a 200 with the event `problem`, as are 429 and 503.',
  ),
  413: respond(413, 'The body is larger than 128 KiB.'),
  415: respond(415, 'The content type is not `application/json`.'),
  429: respond(
    429,
    'More requests of one address than the setting `RATE_LIMIT` allows, too many that wait for a block, or more event streams than `MAX_EVENT_STREAMS_PER_CLIENT`.',
    RETRY_AFTER,
  ),
  500: respond(500, 'An unexpected error; its cause is in the log of the server.'),
  503: respond(
    503,
    'The server is overloaded, the database or a source of names or badges is unavailable, or a block of `after` is not indexed yet.',
    RETRY_AFTER,
  ),
};

type ProblemStatus = keyof typeof RESPONSES;

/** The documentation of problems with these statuses. */
export const problemResponses = (statuses: readonly ProblemStatus[]) =>
  Object.fromEntries(statuses.map((status) => [status, RESPONSES[status]]));

const answerOf = (response: TSchema, mediaType: string, headers?: object) => ({
  description: response.description,
  ...(headers === undefined ? {} : { headers }),
  content: { [mediaType]: { schema: response } },
});

/** Adds the media types of the rows. */
function withTables({ response, rows }: Route, answer: ReturnType<typeof answerOf>) {
  if (rows === undefined) return answer;
  const table = { schema: response, rowsIn: rows.in, omitted: [] };
  const csv = {
    type: 'string',
    description: `RFC 4180 in UTF-8, with the columns ${csvColumns(table).join(', ')}.`,
  };
  return {
    ...answer,
    content: {
      ...answer.content,
      [MEDIA_TYPES.csv]: { schema: csv },
      [MEDIA_TYPES.ndjson]: { schema: rowSchema(table) },
    },
  };
}

interface Operation {
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly response: TSchema;
  /** `application/json` by default. */
  readonly mediaType?: string;
  readonly problems: readonly ProblemStatus[];
}

/** The Fastify schema of an endpoint for operators. It documents the route and neither validates nor serialises. */
export function operationSchema({ path, summary, description, response, mediaType, problems }: Operation): object {
  return {
    operationId: operationIdOf(path),
    tags: ['operations'],
    ...{ summary, description },
    response: { 200: answerOf(response, mediaType ?? 'application/json'), ...problemResponses(problems) },
  };
}

/** The same for a lookup. */
export function lookupSchema(group: Group, route: Route): object {
  const { path, summary, description, params, query, response, format = 'json', body } = route;
  const operationId = operationIdOf(path).replace(/^get/, body?.hasGet ? 'post' : 'get');
  const shared = { operationId, tags: [group], summary, params: objectSchemaOf(params) };
  const names = Object.keys({ ...params, ...(body === undefined ? {} : query) });
  // Without an account or a list, there is nothing that could be unknown.
  const unknown = names.length > 0 ? ([404] as const) : [];
  if (body !== undefined) {
    return {
      ...shared,
      querystring: objectSchemaOf({ ...query, after }),
      description: `A POST that changes nothing, because a query string cannot hold so many addresses. ${description} Answers are not cached.`,
      body: {
        title: body.title,
        description: 'Addresses or ENS names.',
        type: 'array',
        maxItems: body.maxEntries,
        items: { anyOf: [{ type: 'string' }, { type: 'null' }] },
        examples: [body.example],
      },
      response: {
        200: answerOf(response, MEDIA_TYPES.json, LOOKUP_HEADERS),
        ...problemResponses([400, ...unknown, 413, 415, 429, 500, 503]),
      },
    };
  }
  const headers = 'cursor' in query ? { ...CACHE_HEADERS, ...PAGE_HEADERS } : CACHE_HEADERS;
  return {
    ...shared,
    querystring: objectSchemaOf({
      ...query,
      ...(route.rows === undefined ? {} : { format: tableFormat }),
      cache,
      after,
    }),
    description,
    response: {
      ...(format === 'redirect'
        ? { 302: { description: response.description, type: 'null', headers: { Location: LOCATION } } }
        : { 200: withTables(route, answerOf(response, MEDIA_TYPES[format], headers)), 304: NOT_MODIFIED }),
      ...problemResponses([400, ...unknown, 429, 500, 503]),
    },
  };
}

export function objectSchemaOf(parameters: Parameters): object {
  const entries = Object.entries(parameters);
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, { schema }]) => [name, schema])),
    required: entries.filter(([, { defaultValue }]) => defaultValue === undefined).map(([name]) => name),
  };
}

/** Segments of paths that are verbs. The ids of all other operations begin with `get`. */
const VERBS = ['search', 'export', 'discover'];

/** `getUserFollowers` for `/users/:addressOrENS/followers`, `searchLeaderboard` for `/leaderboard/search`. */
export function operationIdOf(path: string): string {
  const words = path
    .replace(/^\/(user|list)s\/:/, '/$1/:')
    .split('/')
    .filter((segment) => !segment.startsWith(':'))
    .flatMap((segment) => segment.split(/-|(?=[A-Z])/))
    .map((word) => word.toLowerCase());
  const verb = words.find((word) => VERBS.includes(word)) ?? 'get';
  const others = words.filter((word) => word !== verb).map((word) => word.slice(0, 1).toUpperCase() + word.slice(1));
  return verb + others.join('');
}
