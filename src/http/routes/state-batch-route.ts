import type { FastifyInstance, FastifyRequest } from 'fastify';
import { BatchStatesBody } from '../../contract/lookup-schemas.ts';
import { type Other, readButtonStates } from '../../lookup/edges/states.ts';
import type { Lookups } from '../../lookup/lookups.ts';
import type { AccountRef } from '../../lookup/refs/account-ref.ts';
import { normaliseMany } from '../../lookup/refs/resolve-many.ts';
import { parseAddress } from '../../protocol/hex.ts';
import { asClient } from '../../remote/client-context.ts';
import type { Reader } from '../../store/store.ts';
import { operationSchema } from '../openapi/operation-schema.ts';
import type { Metrics } from '../operations/metrics.ts';
import { list, readParameters } from '../parameters.ts';
import { HttpProblem } from '../problems.ts';
import { serialise } from '../serialise.ts';
import { clientKey } from '../server/client-key.ts';
import type { Run } from '../server/request-queue.ts';
import type { Route } from './route.ts';

const PATH = '/lists/:token_id/buttonStateBatch';
const MAX_BODY_BYTES = 128 * 1024;
const MAX_ENTRIES = 1_000;

const BODY = {
  title: 'BatchAccounts',
  description: 'Addresses or ENS names.',
  type: 'array',
  maxItems: MAX_ENTRIES,
  items: { anyOf: [{ type: 'string' }, { type: 'null' }] },
  examples: [['juniper.eth', 'unclaimed.eth']],
};

export interface StateBatchOptions {
  readonly lookups: Lookups;
  readonly metrics: Metrics;
  readonly reader: Reader;
  /** Normalising names waits for its turn. */
  readonly runNames: Run;
}

/** The only lookup with a body: a POST that reads, because a query string cannot hold a thousand addresses. */
export async function registerStateBatch(app: FastifyInstance, options: StateBatchOptions): Promise<void> {
  const { metrics, reader } = options;
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
        schema: operationSchema({
          path: PATH,
          tag: 'states' satisfies Route['group'],
          summary: 'Whether a list follows, blocks or mutes each of many accounts',
          description:
            'A POST that changes nothing, because a query string cannot hold a thousand addresses. The answer has an entry for each entry of the body, in the same order. Answers are not cached.',
          params: { token_id: list },
          body: BODY,
          response: BatchStatesBody,
          problems: [400, 404, 413, 415, 429, 500, 503],
        }),
      },
      async (request, reply) => {
        const start = performance.now();
        // Safe: Fastify parses them into an object.
        const { token_id } = readParameters({ token_id: list }, request.params as Record<string, unknown>);
        const ref = { kind: 'list', list: token_id } as const;
        const others = await resolveAll(options, ref, request);
        const body = serialise(reply, await readButtonStates(reader, ref, others), BatchStatesBody);
        metrics.answered(PATH, 200, 'NONE', (performance.now() - start) / 1000);
        return reply
          .headers({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
          .send(body);
      },
    );
  });
}

type Entries = readonly (string | null)[];

function parseEntries(body: string): Entries {
  const entries = parseBody(body);
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

function parseBody(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (error) {
    throw new HttpProblem('malformed-request', 'the body is not valid JSON', { cause: error });
  }
}

/** An outage of the name source fails the request. */
async function resolveAll(
  { lookups, reader, runNames }: StateBatchOptions,
  ref: AccountRef,
  request: FastifyRequest,
): Promise<Other[]> {
  // Without a body no parser runs. Safe: the parser returns entries.
  const entries = (request.body as Entries | undefined) ?? parseEntries('');
  const names = new Set(entries.filter((entry) => entry !== null).filter((entry) => parseAddress(entry) === null));
  // First, so that no name is resolved for an unknown list.
  if (names.size > 0) await lookups.resolveAddress(reader, ref);
  const normalised = await runNames(request.socket, () => normaliseMany(names));
  const resolved = await asClient(
    () => clientKey(request),
    () => lookups.resolveMany(reader, normalised, () => request.socket.destroyed),
  );
  return entries.map((text) => ({ text, address: parseAddress(text) ?? resolved.get(text ?? '') ?? null }));
}
