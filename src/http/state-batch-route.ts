import type { FastifyInstance, FastifyRequest } from 'fastify';
import { batches } from '../async/batches.ts';
import { StatesBody } from '../contract/lookup-schemas.ts';
import type { Lookups } from '../lookup/lookups.ts';
import { ProblemError } from '../lookup/problem.ts';
import { parseAccountParameter } from '../lookup/resolve-account.ts';
import type { Other } from '../lookup/states.ts';
import type { Address } from '../protocol/hex.ts';
import type { Batcher } from './batcher.ts';
import { PROBLEM_RESPONSES } from './lookup-route.ts';
import type { Metrics } from './metrics.ts';
import { cache as cacheParameter, list, readParameters } from './parameters.ts';
import { HttpProblem } from './problems.ts';

const PATH = '/lists/:token_id/buttonStateBatch';
const MAX_BODY_BYTES = 128 * 1024;
const MAX_ENTRIES = 1_000;
/** Names of one request that are resolved at the same time, so that it cannot occupy the whole limit of the source. */
const NAMES_AT_ONCE = 5;

const BODY = {
  type: 'array',
  maxItems: MAX_ENTRIES,
  items: { anyOf: [{ type: 'string' }, { type: 'null' }] },
  description: 'Addresses or ENS names.',
};

export interface StateBatchOptions {
  readonly lookups: Lookups;
  readonly metrics: Metrics;
  readonly batch: Batcher;
}

/** The only lookup with a body: a POST that reads, because a query string cannot hold a thousand addresses. */
export async function registerStateBatch(app: FastifyInstance, options: StateBatchOptions): Promise<void> {
  const { lookups, metrics, batch } = options;
  // In a scope of its own: no other route parses a body.
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    const limits = { parseAs: 'string', bodyLimit: MAX_BODY_BYTES } as const;
    scope.addContentTypeParser('application/json', limits, async (_request: FastifyRequest, body: string) =>
      parseEntries(body),
    );
    scope.post(
      PATH,
      {
        config: { readsBody: true },
        schema: {
          summary: 'Whether a list follows, blocks or mutes each of many accounts',
          tags: ['states'],
          params: { type: 'object', properties: { token_id: list.schema }, required: ['token_id'] },
          querystring: { type: 'object', properties: { cache: cacheParameter.schema } },
          body: BODY,
          response: { 200: StatesBody, ...PROBLEM_RESPONSES },
        },
        // The body is serialised already.
        serializerCompiler: () => (data) => data,
      },
      async (request, reply) => {
        const start = performance.now();
        // Safe: Fastify parses both into objects.
        const { token_id } = readParameters({ token_id: list }, request.params as Record<string, unknown>);
        const query = request.query as Record<string, unknown>;
        const { cache: isFresh } = readParameters({ cache: cacheParameter }, query);
        const ref = { kind: 'list', list: token_id } as const;
        if (isFresh) await lookups.renew.profile(ref);
        // Without a body no parser runs. Safe: the parser returns entries.
        const entries = (request.body as Entries | undefined) ?? parseEntries('');
        const others = await resolveAll(lookups, entries);
        const body = await batch(() => lookups.states.buttonStates(ref, others));
        metrics.answered(PATH, 200, 'NONE', (performance.now() - start) / 1000);
        return reply
          .headers({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
          .send(Buffer.from(body, 'latin1'));
      },
    );
  });
}

type Entries = readonly (string | null)[];

function parseEntries(body: string): Entries {
  const entries = parseJson(body);
  if (!Array.isArray(entries)) throw new HttpProblem('malformed-request', 'the body must be a JSON array');
  if (entries.length > MAX_ENTRIES) {
    throw new HttpProblem(
      'malformed-request',
      `the body must have at most ${MAX_ENTRIES} entries, got ${entries.length}`,
    );
  }
  const wrong = entries.findIndex((entry) => entry !== null && typeof entry !== 'string');
  if (wrong !== -1) throw new HttpProblem('malformed-request', `entry ${wrong} of the body must be a string or null`);
  return entries as Entries;
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (error) {
    throw new HttpProblem('malformed-request', 'the body is not valid JSON', { cause: error });
  }
}

/** Resolves each different entry once. An outage of the name source fails the request. */
async function resolveAll(lookups: Lookups, entries: Entries): Promise<Other[]> {
  const resolved = new Map<string | null, Address | null>([[null, null]]);
  for await (const texts of batches(new Set(entries.filter((entry) => entry !== null)), NAMES_AT_ONCE)) {
    const addresses = await Promise.all(texts.map((text) => resolve(lookups, text)));
    for (const [i, text] of texts.entries()) resolved.set(text, addresses[i] ?? null);
  }
  return entries.map((text) => ({ text, address: resolved.get(text) ?? null }));
}

async function resolve(lookups: Lookups, text: string): Promise<Address | null> {
  const reference = parseAccountParameter(text);
  if (reference === null || reference.kind === 'account') return reference?.account ?? null;
  try {
    return await lookups.resolveAddress(reference);
  } catch (error) {
    if (error instanceof ProblemError) return null;
    throw error;
  }
}
