import { STATUS_CODES } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROBLEMS } from '../../src/contract/problems.ts';
import { anyEngine } from '../support/engines.ts';
import { fetchAnswer } from '../support/service.ts';
import { BATCH_ACCOUNT, BATCH_STATE, CLIENT_ROUTES, EDGES_AMONG, HOPS, OTHER_PATHS } from './client-routes.ts';
import { BODIES, ENS, FOLLOWER, NullOr, type Shape, typesOf } from './fields.ts';
import {
  inlineReferences,
  type JsonSchema,
  looseObjects,
  typesOfSchema,
  violations,
  withoutRareFields,
} from './json-schema.ts';
import { ServiceFixture } from './support.ts';

const INTEGER = { type: 'integer' };
const limit = (defaultValue: number) => ({ ...INTEGER, minimum: 1, default: defaultValue });
const offset = { ...INTEGER, minimum: 0, maximum: 2 ** 31 - 1, default: 0 };
const TEXT = { type: 'string' };
const CACHE = { ...TEXT, enum: ['fresh'] };
const AFTER = { ...TEXT, pattern: '^\\d+:\\d+(,\\d+:\\d+){0,2}$' };
const TOKEN_ID = { ...TEXT, pattern: '^[0-9]+$' };

const FORMAT = { ...TEXT, enum: ['json', 'csv', 'ndjson'] };
const FOLLOWERS = {
  limit: limit(10),
  offset,
  cursor: TEXT,
  tags: TEXT,
  sort: { ...TEXT, enum: ['latest', 'earliest', 'followers'], default: 'latest' },
  include: TEXT,
  format: FORMAT,
};
/** The profile is optional: it is there with `include=ens`. */
const FOLLOWERS_BODY: Shape = { followers: [{ ...FOLLOWER, ens: ENS }] };
const NOTIFICATIONS = {
  opcode: { ...INTEGER, minimum: 0, maximum: 4, default: 0 },
  interval: { ...TEXT, enum: ['hour', 'day', 'week', 'month', 'all'], default: 'week' },
  start: { ...INTEGER, minimum: 0, maximum: 2 ** 40 },
  tag: { ...TEXT, default: '' },
  limit: limit(10),
  offset,
  cursor: TEXT,
  format: FORMAT,
};

const ENDPOINTS: readonly { path: string; body: Shape; loose?: readonly string[]; query: object }[] = [
  { path: '/api/v1/lists/{token_id}/details', body: BODIES.details, query: {} },
  { path: '/api/v1/users/{addressOrENS}/badges', body: BODIES.badges, query: {} },
  { path: '/api/v1/lists/{token_id}/badges', body: BODIES.badges, query: {} },
  {
    path: '/api/v1/leaderboard/search',
    body: BODIES.leaderboard,
    query: {
      term: { ...TEXT, default: '' },
      guess: { type: 'string', enum: ['false', 'true'], default: 'false' },
      ...{ limit: limit(50), offset, cursor: TEXT },
    },
  },
  { path: '/api/v1/users/{addressOrENS}/notifications', body: BODIES.notifications, query: NOTIFICATIONS },
  {
    path: '/api/v1/users/{addressOrENS}/followers',
    body: FOLLOWERS_BODY,
    loose: ['$.followers[]'],
    query: FOLLOWERS,
  },
  {
    path: '/api/v1/lists/{token_id}/followers',
    body: FOLLOWERS_BODY,
    loose: ['$.followers[]'],
    query: FOLLOWERS,
  },
];

const documentedPath = (path: string) => `/api/v1${path.replace(/:(\w+)/g, '{$1}')}`;
const CLIENTS = CLIENT_ROUTES.map(({ path, ...route }) => ({ path: documentedPath(path), ...route }));
const BATCH = documentedPath('/lists/:token_id/buttonStateBatch');
/** The lookups with a body, the number of entries that they take, and their responses. */
const BATCHES: readonly { path: string; entries: number; body: Shape }[] = [
  { path: BATCH, entries: 1000, body: [BATCH_STATE] },
  { path: '/api/v1/accounts', entries: 1000, body: [new NullOr(BATCH_ACCOUNT)] },
  { path: '/api/v1/edges/among', entries: 200, body: EDGES_AMONG },
  { path: documentedPath('/users/:addressOrENS/hops'), entries: 200, body: HOPS },
];

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: object;
}

interface Operation {
  tags?: string[];
  parameters: Parameter[];
  requestBody?: { content: Record<string, { schema: object }> };
  responses: Record<string, Response>;
}

interface Response {
  headers?: object;
  content: Record<
    string,
    { schema: JsonSchema; examples?: Record<string, { value: { code: string; status: number } }> }
  >;
}

describe.each(anyEngine)('/openapi.json', (engine) => {
  const fixture = new ServiceFixture(engine);
  let paths: Record<string, Record<string, Operation>>;
  let document: { components: { schemas: Record<string, JsonSchema>; responses: Record<string, Response> } };
  let url: string;
  let groups: { name: string; description: string }[];
  beforeAll(async () => {
    const service = await fixture.serve(await fixture.open());
    url = service.url;
    const { json } = await fetchAnswer(`${url}/openapi.json`);
    paths = inlineReferences(json).paths;
    groups = json.tags;
    document = json;
  });
  afterAll(() => fixture.close());

  const operationOf = (path: string): Operation => paths[path]?.get ?? expect.fail(`${path} is not documented`);

  const bodyOf = (operation: Operation | undefined): JsonSchema =>
    operation?.responses['200']?.content['application/json']?.schema ?? {};

  it('documents every lookup, the events and nothing else below /api/v1, lookups with GET only but for the batches', () => {
    const documented = Object.keys(paths).filter((path) => path.startsWith('/api/'));
    const lookups = [...[...ENDPOINTS, ...CLIENTS].map(({ path }) => path), ...OTHER_PATHS.map(documentedPath)];
    const batches = BATCHES.map(({ path }) => path);
    const events = '/api/v1/events';
    expect(documented.sort()).toEqual([...new Set([...lookups, ...batches, events])].sort());
    for (const path of documented) {
      const methods = [
        ...([...lookups, events].includes(path) ? ['get'] : []),
        ...([...batches, events].includes(path) ? ['post'] : []),
      ];
      expect([path, Object.keys(paths[path] ?? {})]).toEqual([path, methods]);
    }
  });

  it('puts every operation into one documented group', () => {
    const names = groups.map(({ name }) => name);
    for (const [path, operations] of Object.entries(paths)) {
      for (const { tags = [] } of Object.values(operations)) {
        expect([path, tags]).toEqual([path, [expect.toBeOneOf(names)]]);
      }
    }
  });

  it.each(ENDPOINTS)(
    'documents the response of $path with the fields of the API contract',
    ({ path, body, loose = [] }) => {
      const schema = withoutRareFields(bodyOf(operationOf(path)));
      expect(typesOfSchema(schema)).toEqual(typesOf(body));
      expect(looseObjects(schema)).toEqual(loose);
    },
  );

  it.each(CLIENTS)('documents the response of $path with all of its fields', ({ path, body, bodyWithEns }) => {
    const schema = withoutRareFields(bodyOf(operationOf(path)));
    expect(typesOfSchema(schema)).toEqual(typesOf(bodyWithEns ?? body));
    // Besides, the profile of an entry is the only field that may be absent.
    expect(looseObjects(schema)).toEqual(bodyWithEns === undefined ? [] : [expect.stringMatching(/^\$\.\w+\[\]$/)]);
  });

  it.each(CLIENTS)('documents the query parameters of $path', ({ path, query, required: text }) => {
    const documented = operationOf(path).parameters.filter((parameter) => parameter.in === 'query');
    expect(documented.map(({ name }) => name).sort()).toEqual([...query, 'after', 'cache'].sort());
    const required = documented.filter((parameter) => parameter.required).map(({ name }) => name);
    expect(required).toEqual([...new URLSearchParams(text).keys()]);
  });

  it('has names for the schemas of answers, entries and problems, each of which is used', () => {
    const names = Object.keys(document.components.schemas);
    expect(names).toEqual(expect.arrayContaining(['Follower', 'Followers', 'Notification', 'Problem', 'Status']));
    const used = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name);
    expect([...new Set(used)].sort()).toEqual(names.sort());
  });

  it('documents the media types of lookups with a format, and the columns and lines of these', () => {
    for (const { path } of [...ENDPOINTS, ...CLIENTS]) {
      const { parameters, responses } = operationOf(path);
      const content = responses['200']?.content ?? {};
      const types = ['application/json', 'text/csv', 'application/x-ndjson'];
      const hasFormat = parameters.some(({ name }) => name === 'format');
      expect([path, Object.keys(content)]).toEqual([path, hasFormat ? types : types.slice(0, 1)]);
      if (!hasFormat) continue;
      const [rows] = Object.values(content['application/json']?.schema.properties ?? {}).filter(({ items }) => items);
      expect(content['application/x-ndjson']?.schema).toEqual(rows?.items);
      for (const name of ['address', 'name'].filter((name) => name in (rows?.items?.properties ?? {})))
        expect(JSON.stringify(content['text/csv']?.schema)).toContain(` ${name}`);
    }
  });

  it('documents the number of tags that an entry does not show', () => {
    const moreTags = { type: 'integer', minimum: 1, description: expect.any(String) };
    const { properties, required } =
      bodyOf(operationOf('/api/v1/users/{addressOrENS}/followers')).properties?.followers?.items ?? {};
    expect(properties?.more_tags).toEqual(moreTags);
    expect(required).not.toContain('more_tags');
  });

  it('documents the mark of an entry that a search guesses', () => {
    const { properties, required } = bodyOf(operationOf('/api/v1/leaderboard/search')).properties?.results?.items ?? {};
    expect(properties?.guess).toMatchObject({ description: expect.any(String) });
    expect(required).not.toContain('guess');
  });

  it('documents the codes of problems that are sent', () => {
    const sent = Object.keys(PROBLEMS).filter((code) => code !== 'client-closed-request');
    expect(document.components.schemas.Problem?.properties?.code?.enum).toEqual(sent);
  });

  it('documents the answer of /status', async () => {
    const { json } = await fetchAnswer(`${url}/status`);
    const schema = bodyOf(paths['/status']?.get);
    expect(violations(json, schema)).toEqual([]);
    expect(looseObjects(schema)).toEqual([]);
  });

  it.each(BATCHES)('documents the body and the response of $path', ({ path, entries, body }) => {
    const operation = paths[path]?.post;
    expect(Object.keys(operation?.requestBody?.content ?? {})).toEqual(['application/json']);
    expect(operation?.requestBody?.content['application/json']?.schema).toMatchObject({
      type: 'array',
      maxItems: entries,
      items: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    });
    expect(typesOfSchema(withoutRareFields(bodyOf(operation)))).toEqual(typesOf(body));
  });

  it.each(ENDPOINTS)('documents the query parameters of $path with types, limits and defaults', ({ path, query }) => {
    const documented = operationOf(path).parameters.filter((parameter) => parameter.in === 'query');
    const schemas = Object.fromEntries(documented.map(({ name, schema }) => [name, schema]));
    expect(schemas).toEqual({ ...query, cache: CACHE, after: AFTER });
    for (const { required } of documented) expect(required ?? false).toBe(false);
  });

  it.each([...ENDPOINTS, ...CLIENTS])('documents the path parameters of $path as required', ({ path }) => {
    const inPath = operationOf(path).parameters.filter((parameter) => parameter.in === 'path');
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
      name,
      required: true,
      schema: name === 'token_id' ? TOKEN_ID : TEXT,
    }));
    expect(inPath.map(({ name, required, schema }) => ({ name, required, schema }))).toEqual(named);
  });

  it('documents the headers of a cached answer, and 304', () => {
    const cached = ['Kith-Incomplete', 'ETag', 'Cache-Control', 'X-Cache'];
    for (const { path } of [...ENDPOINTS, ...CLIENTS]) {
      const { parameters, responses } = operationOf(path);
      const isPaged = parameters.some(({ name }) => name === 'cursor');
      const { 200: answer, 304: notModified } = responses;
      expect([path, Object.keys(answer?.headers ?? {})]).toEqual([path, isPaged ? [...cached, 'Link'] : cached]);
      expect([path, Object.keys(notModified?.headers ?? {})]).toEqual([path, cached]);
    }
  });

  it('documents the statuses of problems that a lookup can have', () => {
    const lookups = [...ENDPOINTS, ...CLIENTS].map(({ path }) => ({ path, operation: operationOf(path) }));
    for (const { path, operation } of lookups) {
      const problems = Object.keys(operation.responses).filter((status) => Number(status) >= 400);
      const unknown = path.includes('{') ? ['404'] : [];
      expect([path, problems]).toEqual([path, ['400', ...unknown, '429', '500', '503']]);
    }
    expect(Object.keys(paths[BATCH]?.post?.responses ?? {})).toEqual(expect.arrayContaining(['413', '415']));
  });

  it('has an example of every code of problem that is documented, with its status', () => {
    const codes = Object.entries(document.components.responses).flatMap(([name, { content = {} }]) =>
      Object.values(content['application/problem+json']?.examples ?? {}).map(({ value }) => ({ name, ...value })),
    );
    expect(codes.length).toBeGreaterThan(8);
    for (const { name, code, status } of codes) {
      // Safe: the lint test checks that it is a code.
      expect([code, status]).toEqual([code, PROBLEMS[code as keyof typeof PROBLEMS].status]);
      expect([code, name]).toEqual([code, STATUS_CODES[status]?.replaceAll(' ', '')]);
    }
  });

  it.each([
    { code: 'invalid-parameter', path: '/users/ada.eth/followers?limit=0' },
    { code: 'unknown-list', path: '/lists/999999/details' },
    { code: 'names-not-resolved', path: '/users/nobody.eth/details' },
    { code: 'malformed-request', path: '/lists/3/buttonStateBatch', body: '[' },
    { code: 'body-too-large', path: '/lists/3/buttonStateBatch', body: ' '.repeat(200_000) },
    { code: 'unsupported-media-type', path: '/lists/3/buttonStateBatch', body: '[]', type: 'text/csv' },
  ])('has the answer of the service as the example of $code', async ({ code, path, body, type }) => {
    const headers = { 'content-type': type ?? 'application/json' };
    const { json } = await fetchAnswer(
      `${url}/api/v1${path}`,
      body === undefined ? {} : { method: 'POST', headers, body },
    );
    const examples = Object.values(document.components.responses).flatMap(({ content = {} }) =>
      Object.values(content['application/problem+json']?.examples ?? {}),
    );
    expect(examples.map(({ value }) => value).find((value) => value.code === code)).toEqual(json);
  });
});
