import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anyEngine } from '../support/engines.ts';
import { fetchAnswer } from '../support/service.ts';
import { BODIES, typesOf } from './fields.ts';
import { type JsonSchema, looseObjects, typesOfSchema } from './json-schema.ts';
import { Stage } from './support.ts';

const INTEGER = { type: 'integer' };
const limit = (absent: number) => ({ ...INTEGER, minimum: 1, maximum: 1000, default: absent });
const offset = { ...INTEGER, minimum: 0, maximum: 2 ** 31 - 1, default: 0 };
const TEXT = { type: 'string' };

const FOLLOWERS = {
  limit: limit(10),
  offset,
  tags: TEXT,
  sort: { ...TEXT, enum: ['latest', 'earliest', 'followers'], default: 'latest' },
};
const NOTIFICATIONS = {
  opcode: { ...INTEGER, minimum: 0, maximum: 4, default: 0 },
  interval: { ...TEXT, enum: ['hour', 'day', 'week', 'month', 'all'], default: 'week' },
  start: { ...INTEGER, minimum: 0, maximum: 2 ** 40 },
  tag: { ...TEXT, default: '' },
  limit: limit(10),
  offset,
};

const ENDPOINTS: readonly { path: string; body: keyof typeof BODIES; query: object }[] = [
  { path: '/api/v1/lists/{token_id}/details', body: 'details', query: {} },
  { path: '/api/v1/users/{addressOrENS}/badges', body: 'badges', query: {} },
  { path: '/api/v1/lists/{token_id}/badges', body: 'badges', query: {} },
  {
    path: '/api/v1/leaderboard/search',
    body: 'leaderboard',
    query: { term: { ...TEXT, default: '' }, limit: limit(50), offset },
  },
  { path: '/api/v1/users/{addressOrENS}/notifications', body: 'notifications', query: NOTIFICATIONS },
  { path: '/api/v1/users/{addressOrENS}/followers', body: 'followers', query: FOLLOWERS },
  { path: '/api/v1/lists/{token_id}/followers', body: 'followers', query: FOLLOWERS },
];

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: object;
}

interface Operation {
  parameters: Parameter[];
  responses: Record<string, { content: Record<string, { schema: JsonSchema }> }>;
}

// What is documented does not depend on the engine: one will do.
describe.each(anyEngine)('/openapi.json', (engine) => {
  const stage = new Stage(engine);
  let paths: Record<string, Record<string, Operation>>;
  beforeAll(async () => {
    const service = await stage.serve(await stage.open());
    const { json } = await fetchAnswer(`${service.url}/openapi.json`);
    paths = json.paths;
  });
  afterAll(() => stage.close());

  const operationOf = (path: string): Operation => paths[path]?.get ?? expect.fail(`${path} is not documented`);

  it('documents the seven endpoints and nothing else below /api/v1, each for reading alone', () => {
    const documented = Object.entries(paths).filter(([path]) => path.startsWith('/api/'));
    expect(documented.map(([path]) => path).sort()).toEqual(ENDPOINTS.map(({ path }) => path).sort());
    for (const [, operations] of documented) expect(Object.keys(operations)).toEqual(['get']);
  });

  it.each(ENDPOINTS)('documents the answer of $path with the fields of the contract', ({ path, body }) => {
    const { schema = {} } = operationOf(path).responses['200']?.content['application/json'] ?? {};
    expect(typesOfSchema(schema)).toEqual(typesOf(BODIES[body]));
    expect(looseObjects(schema)).toEqual([]);
  });

  it.each(ENDPOINTS)('documents the query of $path with types, limits and defaults', ({ path, query }) => {
    const documented = operationOf(path).parameters.filter((parameter) => parameter.in === 'query');
    const schemas = Object.fromEntries(documented.map(({ name, schema }) => [name, schema]));
    expect(schemas).toEqual({ ...query, cache: TEXT });
    for (const { required } of documented) expect(required ?? false).toBe(false);
  });

  it.each(ENDPOINTS)('documents what stands in the path of $path as required', ({ path }) => {
    const inPath = operationOf(path).parameters.filter((parameter) => parameter.in === 'path');
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ name, required: true, schema: TEXT }));
    expect(inPath.map(({ name, required, schema }) => ({ name, required, schema }))).toEqual(named);
  });

  it('describes every parameter in words', () => {
    const parameters = ENDPOINTS.flatMap(({ path }) => operationOf(path).parameters);
    expect(parameters.filter(({ description }) => !description)).toEqual([]);
  });
});
