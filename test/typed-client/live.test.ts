import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient, type GetPath, type KithClient, type PagedPath } from '../../packages/client/src/client.ts';
import { CLIENT_ROUTES } from '../http/client-routes.ts';
import { inlineReferences, type JsonSchema, violations } from '../http/json-schema.ts';
import { ServiceFixture, STAR } from '../http/support.ts';
import { anyEngine } from '../support/engines.ts';
import { fetchAnswer } from '../support/service.ts';

interface Parameter {
  readonly name: string;
  readonly required?: boolean;
  readonly example?: string | number;
  readonly schema: { readonly enum?: readonly string[] };
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly responses: Readonly<Record<string, { readonly content: Record<string, { readonly schema: JsonSchema }> }>>;
}

type Values = Record<string, string | number>;

/** Calls the client with paths and parameters of the document, which have no types. */
const untyped = (kith: KithClient) =>
  kith as unknown as {
    get(path: string, params: Values): Promise<Record<string, unknown>>;
    entries(path: string, params: Values): AsyncGenerator;
  };

async function collect<T>(iterator: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const one of iterator) all.push(one);
  return all;
}

const schemaOf = (operation: Operation | undefined): JsonSchema =>
  operation?.responses['200']?.content['application/json']?.schema ?? expect.fail('no schema of an answer');

describe.each(anyEngine)('the typed client, on $name,', (engine) => {
  const fixture = new ServiceFixture(engine);
  let kith: KithClient;
  let requested: string[];
  let other: string;
  let paths: Record<string, Record<string, Operation>>;

  beforeAll(async () => {
    const { url } = await fixture.serveDemo();
    kith = createClient({
      baseUrl: url,
      fetch: (input, init) => {
        requested.push(String(input));
        return fetch(input, init);
      },
    });
    requested = [];
    paths = inlineReferences((await fetchAnswer(`${url}/openapi.json`)).json).paths;
    const { results } = await kith.get('/leaderboard/ranked', { sort: 'followers', limit: 2 });
    other = results[1]?.address ?? '';
  });
  afterAll(() => fixture.close());

  /** Parameters with which every lookup finds something. */
  const paramsOf = (operation: Operation): Values => {
    const values: Values = {
      addressOrENS: STAR.name,
      addressOrENS2: other,
      leader: other,
      token_id: STAR.list,
      term: '0x',
      interval: 'month',
      account: STAR.name,
      since: '0',
    };
    const needed = (operation.parameters ?? []).filter(({ name, required }) => required || name in values);
    return Object.fromEntries(needed.map(({ name, example }) => [name, values[name] ?? example ?? '']));
  };

  /** The paths of the document that the client has, relative to /api/v1. */
  const gets = () =>
    Object.entries(paths)
      .filter(([path, { get }]) => get !== undefined && (path.startsWith('/api/v1/') || path === '/status'))
      .filter(([, { get }]) => get?.responses['200']?.content['application/json'] !== undefined)
      .map(([path, { get }]) => ({ path: path.replace('/api/v1', ''), operation: get ?? expect.fail(path) }));

  it('gets answers with the documented types from every path, for every word of a parameter', async () => {
    const documented = gets();
    expect(documented.length).toBeGreaterThan(CLIENT_ROUTES.length);
    for (const { path, operation } of documented) {
      const params = paramsOf(operation);
      // The client reads JSON only.
      const chosen = (operation.parameters ?? []).filter(({ name }) => name !== 'format');
      const words = chosen.flatMap(({ name, schema }) =>
        (schema.enum ?? []).map((value) => ({ ...params, [name]: value })),
      );
      for (const values of [params, ...words]) {
        const answer = await untyped(kith).get(path, values);
        expect({ path, values, found: violations(answer, schemaOf(operation)) }).toEqual({ path, values, found: [] });
      }
    }
  });

  it('gets profiles of entries with the documented types', async () => {
    const path = '/users/{addressOrENS}/following';
    const answer = await kith.get(path, { addressOrENS: STAR.name, include: 'ens', tags: 'top8,block', limit: 3 });
    expect(violations(answer, schemaOf(paths[`/api/v1${path}`]?.get))).toEqual([]);
    expect(answer.following.map(({ address, ens }) => [address, ens?.display])).toEqual(
      answer.following.map(({ address }) => [address, expect.stringMatching(/\w/)]),
    );
    expect(answer.following).not.toEqual([]);
  });

  it('iterates over the entries of every lookup with pages to the end, in order', async () => {
    const paged = gets().filter(({ operation }) => operation.parameters?.some(({ name }) => name === 'offset'));
    expect(paged.length).toBeGreaterThan(20);
    let mostPages = 0;
    for (const { path, operation } of paged) {
      const params = paramsOf(operation);
      const whole = await untyped(kith).get(path, { ...params, limit: 1000 });
      const lists = [whole, ...Object.values(whole)];
      const all = lists.find(Array.isArray) ?? expect.fail(`${path} has no list`);
      requested = [];
      expect({ path, entries: await collect(untyped(kith).entries(path, { ...params, limit: 20 })) }).toEqual({
        path,
        entries: all,
      });
      expect(requested.slice(1).filter((url) => !new URL(url).searchParams.has('cursor'))).toEqual([]);
      mostPages = Math.max(mostPages, requested.length);
    }
    expect(mostPages).toBeGreaterThan(3);
  });

  it('begins with the entry at offset, and requests pages of 100 by cursor', async () => {
    const path: PagedPath = '/leaderboard/search';
    const { results } = await kith.get(path, { limit: 1000 });
    expect(results.length).toBeGreaterThan(110);
    requested = [];
    expect(await collect(kith.entries(path, { offset: 5 }))).toEqual(results.slice(5));
    expect(requested[0]).toBe(kith.urlOf(path, { offset: 5, limit: 100 }));
    const nextPages = requested.slice(1).map((url) => [...new URL(url).searchParams.keys()]);
    expect(nextPages).toEqual(Array(Math.ceil((results.length - 5) / 100) - 1).fill(['limit', 'cursor']));
  });

  it('requests no page that is not needed', async () => {
    requested = [];
    for await (const _ of kith.entries('/discover', { limit: 2 })) break;
    expect(requested).toEqual([kith.urlOf('/discover', { limit: 2, offset: 0 })]);
  });

  it('posts the batch of states', async () => {
    const path = '/lists/{token_id}/buttonStateBatch';
    const states = await kith.post(path, { token_id: STAR.list }, [other, 'nobody.eth', null]);
    expect(violations(states, schemaOf(paths[`/api/v1${path}`]?.post))).toEqual([]);
    expect(states.map(({ address, state }) => [address, state === null])).toEqual([
      [other, false],
      ['nobody.eth', true],
      [null, true],
    ]);
  });

  it('rejects with the code and the detail of a problem', async () => {
    const path: GetPath = '/users/{addressOrENS}/stats';
    const params = { addressOrENS: 'nobody.eth' };
    await expect(kith.get(path, params)).rejects.toMatchObject({
      name: 'KithError',
      status: 404,
      code: 'unknown-name',
      url: kith.urlOf(path, params),
      detail: expect.stringContaining('nobody.eth'),
      retryAfter: null,
    });
  });

  it('encodes parameters such that the service reads them unchanged', async () => {
    const get = kith.get('/users/{addressOrENS}/account', { addressOrENS: 'a/b?c#d&é$& .eth' });
    await expect(get).rejects.toMatchObject({
      code: 'invalid-parameter',
      detail: expect.stringContaining('a/b?c#d&é$& .eth'),
    });
  });
});
