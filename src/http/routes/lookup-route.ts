import type { FastifyInstance, FastifyReply, RouteShorthandOptionsWithHandler } from 'fastify';
import type { Lookups } from '../../lookup/lookups.ts';
import { asClient } from '../../remote/client-context.ts';
import type { Reader, StreamReader } from '../../store/store.ts';
import { checkCursor, linkToNext } from '../cursor.ts';
import { operationSchema } from '../openapi/operation-schema.ts';
import type { CacheState, Metrics } from '../operations/metrics.ts';
import { cache as cacheParameter, type Parameters, readParameters, type Values } from '../parameters.ts';
import { serialise, serialisePieces } from '../serialise.ts';
import { clientKey } from '../server/client-key.ts';
import { MIN_COMPRESSED_BYTES, negotiateEncoding } from '../server/content-encoding.ts';
import type { Run } from '../server/heavy-lane.ts';
import { matchesEtag } from '../server/matches-etag.ts';
import { nextTurn } from '../server/next-turn.ts';
import type { AllowFresh } from '../server/rate-limits.ts';
import { type CachedResponse, type Rendered, type ResponseCache, withoutFresh } from '../server/response-cache.ts';
import { hasRemoteName, resolveNames } from './account-names.ts';
import type { Format, Route } from './route.ts';
import { collect, LongResponse, type SendStream } from './streamed-response.ts';

export interface LookupRouteOptions {
  readonly lookups: Lookups;
  readonly cache: ResponseCache;
  readonly metrics: Metrics;
  /** For queries that take less than about a millisecond. */
  readonly reader: Reader;
  /** For the others, which wait for their turn. */
  readonly heavyReader: Reader;
  readonly runHeavy: Run;
  /** For responses of any length, which wait for their turn as well. */
  readonly streams: StreamReader;
  readonly runStream: Run;
  readonly sendStream: SendStream;
  /** Requests with `cache=fresh` above their rate limit are answered as those without. */
  readonly allowFresh: AllowFresh;
}

/** Pages beyond these bounds take more than about a millisecond. */
export const MAX_LIGHT_LIMIT = 100;
const MAX_LIGHT_OFFSET = 1_000;

/** Registers a lookup. Cache hits are answered in an `onRequest` hook, which is cheaper than the whole lifecycle. */
export function registerLookup(app: FastifyInstance, group: string, route: Route, options: LookupRouteOptions): void {
  const { lookups, cache, metrics, reader, heavyReader, runHeavy, streams, runStream, sendStream, allowFresh } =
    options;
  const { format = 'json' } = route;
  const prepare = format === 'redirect' ? prepareRedirect : prepareReply;
  const sendHit = async (reply: FastifyReply, hit: CachedResponse) => {
    const body = await prepare(reply, hit, 'HIT', cache, format);
    metrics.answered(route.path, reply.statusCode, 'HIT');
    return reply.send(body);
  };
  const lookup: RouteShorthandOptionsWithHandler = {
    // @fastify/compress would compress a cached body again for each request.
    compress: false,
    async onRequest(request, reply) {
      await nextTurn();
      const hit = cache.get(request.url);
      if (hit !== undefined) return sendHit(reply, hit);
    },
    async handler(request, reply) {
      const start = performance.now();
      // Safe: Fastify parses both into objects.
      const query = request.query as Record<string, unknown>;
      const params = readParameters(route.params, request.params as Record<string, unknown>);
      const values = readParameters(route.query, query);
      const asked = { route, params, given: query, values };
      checkCursor(asked);
      const { cache: asksFresh } = readParameters({ cache: cacheParameter }, query);
      const isFresh = asksFresh && (await allowFresh(request, reply));
      // Null if the response is not cached.
      const key = asksFresh ? withoutFresh(request.url) : request.url;
      const cached = () => (isFresh || key === null ? undefined : cache.get(key));
      const hit = asksFresh ? cached() : undefined;
      if (hit !== undefined) return sendHit(reply, hit);
      const client = () => clientKey(request);
      // Before the data version is read, since this may raise it.
      if (isFresh) await asClient(client, () => route.renew?.(reader, params, values));
      // Resolved before it is queued, so that a slow name source occupies no slot.
      const isRemote = hasRemoteName(lookups, params, values);
      const resolve = () => Promise.all([resolveNames(lookups, params), resolveNames(lookups, values)]);
      const resolved = isRemote ? await asClient(client, resolve) : ([params, values] as const);
      const load = (run: () => Promise<Rendered>) =>
        cache.load({
          url: request.url,
          key,
          dependsOnClock: isRemote || (route.dependsOnClock?.(query) ?? false),
          run,
        });
      // Another request for the same URL may have been answered while this one waited.
      const loadLater = (run: () => Promise<Rendered>) => async () => cached() ?? load(run);
      const state = isFresh ? 'FRESH' : 'MISS';
      const answered = () => metrics.answered(route.path, reply.statusCode, state, (performance.now() - start) / 1000);
      const respond = async (response: CachedResponse) => {
        const body = await prepare(reply, response, state, cache, format);
        answered();
        return reply.send(body);
      };
      const isPage = 'page' in route && (values.limit !== null || values.cursor !== null);
      if ('stream' in route && !isPage) {
        const open = () => serialisePieces(reply, route.stream(streams, ...resolved), route.response);
        try {
          return await respond(
            await runStream(
              request.socket,
              loadLater(async () => ({ text: await collect(open()), link: null })),
            ),
          );
        } catch (error) {
          if (!(error instanceof LongResponse)) throw error;
          return sendStream(reply, error.take() ?? { start: '', rest: open() }, () => {
            reply.headers(OK.json[state]);
            answered();
          });
        }
      }
      const run = (chosen: Reader) => async () => {
        const { body, next } =
          'page' in route
            ? await route.page(chosen, ...resolved)
            : { body: await route.lookup(chosen, ...resolved), next: null };
        // Safe: in other formats, a lookup returns the text.
        const text = format === 'json' ? serialise(reply, body, route.response) : (body as string);
        return { text, link: next && linkToNext(asked, next) };
      };
      const isHeavy = isLarge(values) || (route.isHeavy?.(values) ?? false);
      return respond(isHeavy ? await runHeavy(request.socket, loadLater(run(heavyReader))) : await load(run(reader)));
    },
  };
  // Fastify's own HEAD routes send a Content-Length of 0 with a 304.
  app.get(route.path, { ...lookup, schema: schemaOf(group, route), exposeHeadRoute: false });
  app.head(route.path, { ...lookup, schema: { hide: true } });
}

function isLarge({ limit, offset, cursor }: Values<Parameters>): boolean {
  // A key of one number is an offset.
  const skipped = Array.isArray(cursor) && cursor.length === 1 ? cursor[0] : offset;
  return Number(limit) > MAX_LIGHT_LIMIT || Number(skipped) > MAX_LIGHT_OFFSET;
}

const headersOf = (state: CacheState) => ({ 'cache-control': 'no-cache', 'x-cache': state, vary: 'Accept-Encoding' });
const NOT_MODIFIED = { HIT: headersOf('HIT'), MISS: headersOf('MISS'), FRESH: headersOf('FRESH') };
const MEDIA_TYPES = { json: 'application/json', svg: 'image/svg+xml' } as const;
const okHeadersOf = (format: keyof typeof MEDIA_TYPES) => {
  const contentType = { 'content-type': `${MEDIA_TYPES[format]}; charset=utf-8` };
  const of = (state: CacheState) => ({ ...contentType, ...headersOf(state) });
  return { HIT: of('HIT'), MISS: of('MISS'), FRESH: of('FRESH') };
};
const OK = { json: okHeadersOf('json'), svg: okHeadersOf('svg') };

function prepareRedirect(reply: FastifyReply, { body }: CachedResponse, state: CacheState): undefined {
  reply.code(302).headers({ ...headersOf(state), location: body.toString() });
}

/**
 * Sets the status and the headers, and returns the body: undefined for 304, a promise if it is compressed. A compressed
 * body has the weak form of the ETag, so a tag of either form revalidates both.
 */
function prepareReply(
  reply: FastifyReply,
  response: CachedResponse,
  state: CacheState,
  cache: ResponseCache,
  format: Format,
): Buffer | Promise<Buffer> | undefined {
  const { headers } = reply.request;
  const { body, etag, link } = response;
  const encoding = body.length > MIN_COMPRESSED_BYTES ? negotiateEncoding(headers['accept-encoding']) : null;
  reply.header('etag', encoding === null ? etag : `W/${etag}`);
  if (link !== null) reply.header('link', link);
  if (matchesEtag(headers['if-none-match'], etag)) {
    reply.code(304).headers(NOT_MODIFIED[state]);
    return undefined;
  }
  reply.headers(OK[format === 'svg' ? 'svg' : 'json'][state]);
  if (encoding === null) return body;
  return cache.compress(response, encoding).then((compressed) => {
    reply.header('content-encoding', encoding);
    return compressed;
  });
}

function schemaOf(group: string, route: Route): object {
  const { path, summary, description, params, query, response, format = 'json' } = route;
  return operationSchema({
    ...{ path, tag: group, summary, description, params, response, isCached: format !== 'redirect' },
    isPaged: 'cursor' in query,
    ...(format === 'redirect' ? { isRedirect: true } : { mediaType: MEDIA_TYPES[format] }),
    query: { ...query, cache: cacheParameter },
    // Without an account or a list, there is nothing that could be unknown.
    problems: [400, ...(Object.keys(params).length > 0 ? ([404] as const) : []), 429, 500, 503],
  });
}
