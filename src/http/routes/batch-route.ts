import type { Static, TSchema } from '@sinclair/typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { normaliseMany, type Other, type Resolved } from '../../lookup/refs/resolve-many.ts';
import { parseAddress } from '../../protocol/hex.ts';
import { asClient } from '../../remote/client-context.ts';
import type { Reader, StreamReader } from '../../store/store.ts';
import { operationSchema } from '../openapi/operation-schema.ts';
import { type Parameters, readParameters, type Values } from '../parameters.ts';
import { HttpProblem } from '../problems.ts';
import { serialise, serialisePieces } from '../serialise.ts';
import { clientKey } from '../server/client-key.ts';
import type { Run } from '../server/heavy-lane.ts';
import { nextTurn } from '../server/next-turn.ts';
import { resolveNames } from './account-names.ts';
import { type LookupRouteOptions, MAX_LIGHT_LIMIT } from './lookup-route.ts';
import type { Group, RouteFacts } from './route.ts';
import { collect, LongResponse } from './streamed-response.ts';

const MAX_BODY_BYTES = 128 * 1024;

/** A lookup about many accounts: a POST that reads, because a query string cannot hold a thousand addresses. */
export type BatchRoute = TypedBatch<Parameters, Parameters, TSchema> & {
  readonly params: Parameters;
  readonly query: Parameters;
};

type TypedBatch<P extends Parameters, Q extends Parameters, S extends TSchema> = BatchFacts<P, Q, S> &
  BatchAnswer<[others: readonly Other[], params: Values<P>, query: Values<Q>], S>;

type BatchAnswer<A extends unknown[], S extends TSchema> =
  | { lookup(reader: Reader, ...args: A): Promise<Static<S>> }
  | { stream(reader: StreamReader, ...args: A): AsyncGenerator<Static<S>> };

interface BatchFacts<P extends Parameters, Q extends Parameters, S extends TSchema>
  extends Pick<RouteFacts<P, Q, S>, 'path' | 'summary' | 'description' | 'params' | 'query' | 'response'> {
  readonly group: Group;
  readonly body: { readonly title: string; readonly maxEntries: number; readonly example: readonly string[] };
  /** Rejects a request about something unknown, before names are resolved for it. */
  check?(reader: Reader, params: Values<P>): Promise<unknown>;
}

/** As `route` does for other lookups. */
export function batch<P extends Parameters, Q extends Parameters, S extends TSchema>(
  route: TypedBatch<P, Q, S>,
): BatchRoute {
  // Safe: it is only called with values that were parsed by the route's own parameters.
  return { params: {}, query: {}, ...route } as unknown as BatchRoute;
}

export interface BatchOptions extends Omit<LookupRouteOptions, 'cache' | 'allowFresh'> {
  /** Normalising names waits for its turn. */
  readonly runNames: Run;
}

const HEADERS = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' };

/** Registers the lookups with a body. */
export async function registerBatches(
  app: FastifyInstance,
  routes: readonly BatchRoute[],
  options: BatchOptions,
): Promise<void> {
  // In a scope of its own: no other route parses a body.
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    const limits = { parseAs: 'string', bodyLimit: MAX_BODY_BYTES } as const;
    scope.addContentTypeParser('application/json', limits, async (_request: FastifyRequest, body: string) => body);
    for (const route of routes) registerBatch(scope, route, options);
  });
}

function registerBatch(scope: FastifyInstance, route: BatchRoute, options: BatchOptions): void {
  const { lookups, metrics, reader, heavyReader, runHeavy, streams, runStream, sendStream } = options;
  scope.post(route.path, { config: { readsBody: true }, schema: schemaOf(route) }, async (request, reply) => {
    const start = performance.now();
    // Safe, here and below: Fastify parses them into objects.
    const params = readParameters(route.params, request.params as Record<string, unknown>);
    const given = readParameters(route.query, request.query as Record<string, unknown>);
    const entries = parseEntries(request.body, route.body.maxEntries);
    const query = await asClient(
      () => clientKey(request),
      () => resolveNames(lookups, given),
    );
    const others = await resolveEntries(entries, request, options, () => route.check?.(reader, params));
    const prepare = (): FastifyReply => {
      metrics.answered(route.path, 200, 'NONE', (performance.now() - start) / 1000);
      return reply.headers(HEADERS);
    };
    if ('stream' in route) {
      const pieces = serialisePieces(reply, route.stream(streams, others, params, query), route.response);
      try {
        const body = await runStream(request.socket, () => collect(pieces));
        return prepare().send(body);
      } catch (error) {
        const text = error instanceof LongResponse ? error.take() : null;
        if (text === null) throw error;
        return sendStream(reply, text, prepare);
      }
    }
    const run = async (chosen: Reader) =>
      serialise(reply, await route.lookup(chosen, others, params, query), route.response);
    const isHeavy = entries.length > MAX_LIGHT_LIMIT;
    const body = isHeavy
      ? await runHeavy(request.socket, () => run(heavyReader))
      : await nextTurn().then(() => run(reader));
    return prepare().send(body);
  });
}

type Entries = readonly (string | null)[];

/** The body is undefined if there is none, because no parser runs then. */
function parseEntries(body: unknown, maxEntries: number): Entries {
  const entries = parseJson(String(body ?? ''));
  if (!Array.isArray(entries)) throw new HttpProblem('malformed-request', 'the body must be a JSON array');
  if (entries.length > maxEntries) {
    throw new HttpProblem(
      'malformed-request',
      `the body must have at most ${maxEntries} entries, got ${entries.length}`,
    );
  }
  const wrong = entries.findIndex((entry) => entry !== null && typeof entry !== 'string');
  if (wrong !== -1) throw new HttpProblem('malformed-request', `entry ${wrong} of the body must be a string or null`);
  return entries as Entries;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new HttpProblem('malformed-request', 'the body is not valid JSON', { cause: error });
  }
}

/** An outage of the name source fails the request. */
async function resolveEntries(
  entries: Entries,
  request: FastifyRequest,
  { lookups, reader, runNames }: BatchOptions,
  check: () => Promise<unknown> | undefined,
): Promise<Other[]> {
  const addresses = entries.map(parseAddress);
  const names = new Set(entries.flatMap((text, i) => (text === null || addresses[i] !== null ? [] : [text])));
  let resolved: Resolved = new Map();
  if (names.size > 0) {
    await check();
    const normalised = await runNames(request.socket, () => normaliseMany(names));
    resolved = await asClient(
      () => clientKey(request),
      () => lookups.resolveMany(reader, normalised, () => request.socket.destroyed),
    );
  }
  return entries.map((text, i) => ({ text, address: addresses[i] ?? resolved.get(text ?? '') ?? null }));
}

function schemaOf({ path, group, summary, description, params, query, body, response }: BatchRoute): object {
  const isAboutOther = [params, query].some((parameters) => Object.keys(parameters).length > 0);
  return operationSchema({
    ...{ path, tag: group, summary, params, query, response },
    description: `A POST that changes nothing, because a query string cannot hold so many addresses. ${description} Answers are not cached.`,
    body: {
      title: body.title,
      description: 'Addresses or ENS names.',
      type: 'array',
      maxItems: body.maxEntries,
      items: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      examples: [body.example],
    },
    problems: [400, ...(isAboutOther ? ([404] as const) : []), 413, 415, 429, 500, 503],
  });
}
