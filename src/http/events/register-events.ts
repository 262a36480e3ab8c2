import { Negotiator } from '@fastify/accept-negotiator';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { EventFilter } from '../../live/filter.ts';
import { EVENT_STREAM, NDJSON, type StreamFormat } from '../../live/formats.ts';
import { type Hub, PositionAheadError, StreamLimitError } from '../../live/hub.ts';
import { readEntryPage } from '../../live/read-page.ts';
import type { Lookups } from '../../lookup/lookups.ts';
import type { Address } from '../../protocol/hex.ts';
import { createRequestContext } from '../../remote/request-context.ts';
import type { Reader } from '../../store/store.ts';
import { eventsSchema } from '../openapi/events-schema.ts';
import type { Metrics } from '../operations/metrics.ts';
import { bodyOf, HttpProblem } from '../problems.ts';
import { clientKey } from '../server/limits.ts';
import { type EventRequest, parseEventRequest } from './parse-request.ts';
import { createResponseSink } from './response-sink.ts';

export interface EventsOptions {
  readonly hub: Hub;
  readonly reader: Reader;
  readonly lookups: Pick<Lookups, 'resolveName'>;
  readonly metrics: Metrics;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Its errors that will pass are sent to browsers as events, see `sendProblemEvent`. */
    streamsEvents?: boolean;
  }
}

const PATH = '/events';
/** 10,000 addresses with quotation marks and commas. */
const MAX_BODY_BYTES = 512 * 1024;
const NO_STORE = { 'cache-control': 'no-store' };
const STREAM_HEADERS = { ...NO_STORE, 'x-accel-buffering': 'no', vary: 'Accept' };

const FORMATS: readonly StreamFormat[] = [EVENT_STREAM, NDJSON];
const JSON_TYPE = 'application/json';
const negotiator = new Negotiator({ supportedValues: [...FORMATS.map(({ mediaType }) => mediaType), JSON_TYPE] });

/** Null for a page. */
function formatOf({ headers, query }: FastifyRequest): StreamFormat | null {
  // A stream has no last events, so nothing else can be meant.
  const isAny = headers.accept === undefined || headers.accept === '*/*';
  if (isAny && (query as { readonly last?: unknown }).last !== undefined) return null;
  const type = negotiator.negotiate((headers.accept ?? '').toLowerCase());
  return type === JSON_TYPE ? null : (FORMATS.find(({ mediaType }) => mediaType === type) ?? EVENT_STREAM);
}

/** Streams and pages of events. */
export async function registerEvents(app: FastifyInstance, { hub, reader, lookups, metrics }: EventsOptions) {
  async function resolve({ filter, accounts }: EventRequest): Promise<EventFilter> {
    if (accounts === null) return { ...filter, accounts };
    const found = new Set<Address>();
    for (const ref of accounts)
      found.add(ref.kind === 'account' ? ref.account : await lookups.resolveName(reader, ref.name));
    return { ...filter, accounts: found };
  }

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const client = clientKey(request);
    const format = formatOf(request);
    const asked = parseEventRequest(hub.codec, request, format === null);
    const release = reserve(client, asked.accounts?.length ?? 0);
    let isOpen = false;
    try {
      const filter = await resolve(asked);
      const isGone = () => request.socket.destroyed;
      if (asked.since !== null) await hub.admit(asked.since, isGone).catch(rejectAhead);
      if (format === null) return await sendPage(request, reply, { ...asked, filter });
      reply.headers({ 'content-type': `${format.mediaType}; charset=utf-8`, ...STREAM_HEADERS });
      metrics.answered(PATH, 200, 'NONE');
      if (request.method === 'HEAD' || isGone()) return await reply.send('');
      const { finality, since, untilNow, withEns } = asked;
      const { sink, attach } = createResponseSink(reply);
      isOpen = true;
      // Not awaited: what a request needs takes as much memory as its stream.
      void hub.stream(client, finality, { filter, withEns, format, since, untilNow }, sink, attach).finally(release);
      return reply;
    } finally {
      if (!isOpen) release();
    }
  }

  function reserve(client: string, accounts: number): () => void {
    try {
      return hub.reserve(client, accounts);
    } catch (error) {
      throw error instanceof StreamLimitError ? problemOfLimit(error) : error;
    }
  }

  async function sendPage(
    request: FastifyRequest,
    reply: FastifyReply,
    asked: Omit<EventRequest, 'filter'> & { readonly filter: EventFilter },
  ): Promise<FastifyReply> {
    const start = performance.now();
    const page = await readEntryPage(hub.readerOf(clientKey(request)), hub.codec, asked);
    if (page === null) throw new HttpProblem('unavailable', 'the graph is being loaded, retry later');
    const id = hub.codec.encode(page.position);
    if (page.hasMore) reply.header('link', linkToNext(asked.given, id));
    metrics.answered(PATH, 200, 'NONE', (performance.now() - start) / 1000);
    const events = page.entries.map((entry) => entry.text(asked.withEns));
    reply.headers({ 'content-type': `${JSON_TYPE}; charset=utf-8`, ...NO_STORE, vary: 'Accept' });
    return reply.send(`{"events":[${events.join(',')}],"id":"${id}"}`);
  }

  const handler = (request: FastifyRequest, reply: FastifyReply) =>
    createRequestContext(() => clientKey(request))(() => answer(request, reply));
  const config = { streamsEvents: true };
  app.get(PATH, { compress: false, config, schema: eventsSchema('GET'), exposeHeadRoute: false, handler });
  app.head(PATH, { compress: false, config, schema: { hide: true }, handler });
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    const limits = { parseAs: 'string', bodyLimit: MAX_BODY_BYTES } as const;
    scope.addContentTypeParser('application/json', limits, async (_request: FastifyRequest, body: string) => body);
    scope.post(PATH, {
      compress: false,
      config: { ...config, readsBody: true },
      schema: eventsSchema('POST'),
      handler,
    });
  });
}

function linkToNext(given: Readonly<Record<string, unknown>>, id: string): string {
  const query = new URLSearchParams(
    Object.entries(given)
      .filter(([name]) => name !== 'since')
      .flatMap(([name, value]) => [value].flat().map((text): [string, string] => [name, String(text)])),
  );
  query.set('since', id);
  return `<?${query}>; rel="next"`;
}

function rejectAhead(error: unknown): never {
  if (error instanceof PositionAheadError)
    throw new HttpProblem('position-not-indexed', `the position is above what is indexed: ${error.message}`);
  throw error instanceof StreamLimitError ? problemOfLimit(error) : error;
}

const RETRY_AFTER = { headers: { 'retry-after': '5' } };

function problemOfLimit({ of }: StreamLimitError): HttpProblem {
  switch (of) {
    case 'client':
      return new HttpProblem('too-many-streams', 'this address has too many event streams open', RETRY_AFTER);
    case 'all':
      return new HttpProblem('overloaded', 'too many event streams are open, retry later', RETRY_AFTER);
    case 'shutdown':
      return new HttpProblem('unavailable', 'the process is shutting down, retry later', RETRY_AFTER);
  }
}

/** Statuses after which a browser would give up for good, though the cause passes. */
const PASSING = [409, 429, 503];
const DEFAULT_RETRY_S = 5;

/**
 * Sends a problem as the only event of a stream if a browser has asked for one: its `EventSource` connects again only after
 * a 200. False if it is to be sent as the response that it is.
 */
export function sendProblemEvent(request: FastifyRequest, reply: FastifyReply, problem: HttpProblem): boolean {
  const isStream = request.routeOptions.config.streamsEvents === true && formatOf(request) === EVENT_STREAM;
  const asksEvents = /\btext\/event-stream\b/i.test(request.headers.accept ?? '');
  if (!isStream || !asksEvents || !PASSING.includes(problem.status)) return false;
  const seconds = Number(problem.headers['retry-after'] ?? DEFAULT_RETRY_S);
  reply
    .code(200)
    .headers({ ...problem.headers, 'content-type': `${EVENT_STREAM.mediaType}; charset=utf-8`, ...STREAM_HEADERS })
    .send(EVENT_STREAM.retry(1_000 * seconds) + EVENT_STREAM.problem(bodyOf(problem)));
  return true;
}

/** The body of the last event of a reader that is closed. */
export const SLOW_READER = bodyOf(
  new HttpProblem('slow-reader', 'the client has not taken what was sent: continue from its last id'),
);
