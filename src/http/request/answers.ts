import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { createSingleFlight } from '../../async/single-flight.ts';
import type { MonotonicMs } from '../../async/unix-time.ts';
import type { Lookups } from '../../lookup/lookups.ts';
import type { CursorKey, PageBody, Paged } from '../../lookup/page.ts';
import type { Address } from '../../protocol/hex.ts';
import { LongResultError, MAX_STREAMS, type Store } from '../../store/store.ts';
import type { CacheState } from '../operations/metrics.ts';
import type { Cost, Route } from '../routes/route.ts';
import { createRequestQueue } from '../server/limits.ts';
import { linkToNext } from './cursor.ts';
import { isTable, negotiateFormat } from './negotiate.ts';
import type { Source } from './parameters.ts';
import { type Asked, accountsIn, type Resolved } from './resolve.ts';
import { type HeldBody, ResponseCache, type Validity } from './response-cache.ts';
import { type BodyWriter, jsonWriter, writePage } from './serialise.ts';
import { collect, createSpools, type LongBody, spoolIfLong } from './spools.ts';
import { tableWriter } from './tables.ts';

export interface Answer {
  readonly asked: Asked;
  readonly body: HeldBody | LongBody;
  /** The Link header; null if there is none. */
  readonly link: string | null;
  /** `NONE` for an answer that is not for the cache. */
  readonly state: CacheState;
}

export interface AnswersOptions {
  readonly store: Store;
  readonly versionOf: (sources: readonly Source[]) => string | null;
  readonly queueProfile: Lookups['queueProfile'];
  readonly cacheBytes: number;
  readonly spool: Parameters<typeof createSpools>[0];
  readonly monotonic: () => MonotonicMs;
}

/** A request and what its answer will count for: the versions are read before the data, which is not older then. */
interface Dated extends Validity {
  readonly resolved: Resolved;
}

/** The text of a body, and where the next page begins. */
interface Read {
  readonly text: string;
  readonly next: CursorKey | null;
}

/** A URL that was answered. */
interface KnownUrl {
  readonly resolved: Resolved;
  /** The last answer's, and the link that was made of it. */
  next: CursorKey | null;
  link: string | null;
}

/** The part of the memory for cached bodies that URLs take. */
const URLS_SHARE = 1 / 8;
/** Estimated size of a request that was parsed. */
const URL_OVERHEAD_BYTES = 1_000;
/** Lifetime of an answer that depends on the clock. */
const CLOCK_TTL_MS = 1_000;
/** Pages beyond these bounds take more than about a millisecond. */
const MAX_LIGHT_LIMIT = 100;
const MAX_LIGHT_OFFSET = 1_000;

export type Answers = ReturnType<typeof createAnswers>;

/** Finds answers in the cache, or reads them: in a lane for each cost, in which each client has a fair share. */
export function createAnswers({ store, versionOf, queueProfile, cacheBytes, spool, monotonic }: AnswersOptions) {
  const urlBytes = Math.ceil(cacheBytes * URLS_SHARE);
  const cache = new ResponseCache({ maxBytes: cacheBytes - urlBytes, monotonic });
  const sizeCalculation = (_: KnownUrl, url: string) => url.length + URL_OVERHEAD_BYTES;
  const urls = cacheBytes === 0 ? null : new LRUCache<string, KnownUrl>({ maxSize: urlBytes, sizeCalculation });
  const spools = createSpools(spool);
  const flights = createSingleFlight<HeldBody>();
  const heavy = createRequestQueue(store.heavy.concurrency);
  const streams = createRequestQueue(MAX_STREAMS);
  const readers = {
    page: { ...store.short, ...store.streams, ...store.snapshots },
    light: { ...store.reader, ...store.streams, ...store.snapshots },
    heavy: { ...store.heavy.reader, ...store.streams, ...store.snapshots },
    stream: { ...store.reader, ...store.streams, ...store.snapshots },
  };

  function date(resolved: Resolved): Dated {
    const { asked, key } = resolved;
    const expires = asked.dependsOn.includes('clock') ? monotonic() + CLOCK_TTL_MS : Number.POSITIVE_INFINITY;
    return { resolved, key, expires, version: versionOf(asked.dependsOn) };
  }

  function find({ asked, key }: Resolved): HeldBody | undefined {
    return key === null ? undefined : cache.get(key, versionOf(asked.dependsOn));
  }

  async function read({ resolved }: Dated, lane: keyof typeof readers): Promise<Read> {
    const { asked, params, query, others } = resolved;
    const { route, format } = asked;
    const lookup = () =>
      asked.isWhole ? route.stream?.(readers[lane], params, query) : route.lookup(readers[lane], params, query, others);
    const writer = writerOf(resolved);
    let value: unknown;
    let found: Read;
    if (lane === 'stream') {
      // Safe: at this cost, a lookup returns pieces.
      found = { text: await collect(() => writer.writePieces(lookup() as AsyncGenerator)), next: null };
    } else {
      value = await lookup();
      // Safe: for these formats, a lookup returns the text.
      const isText = format === 'svg' || format === 'redirect';
      found = isText ? { text: value as string, next: null } : await textOf(value, writer, lane);
    }
    const accounts = [...accountsIn(resolved), ...(route.profilesIn?.(value) ?? [])];
    // Safe: these are read from columns of addresses.
    for (const account of new Set(accounts)) queueProfile(account as Address);
    return found;
  }

  /** Runs equal requests once. */
  function load(dated: Dated, lane: keyof typeof readers): Promise<HeldBody> {
    const { key, version, resolved } = dated;
    const run = async () => {
      const { text, next } = await read(dated, lane);
      return cache.add(dated, text, next);
    };
    // While the version is unknown, an earlier flight may have begun before what was renewed was stored.
    const isAlone = key === null || (version === null && resolved.isFresh);
    return isAlone ? run() : flights.run(`${lane} ${resolved.isFresh} ${version} ${key}`, run);
  }

  async function loadInLane(resolved: Resolved, request: FastifyRequest): Promise<HeldBody | LongBody> {
    const cost = costOf(resolved);
    const isPage = 'cursor' in resolved.asked.route.query;
    if (cost === 'light') {
      try {
        const lane = isPage ? 'page' : 'light';
        return await spoolIfLong(spools, request, () => load(date(resolved), lane));
      } catch (error) {
        if (!(error instanceof LongResultError)) throw error;
      }
    }
    const [lane, queue] = cost === 'stream' ? ([cost, streams] as const) : (['heavy', heavy] as const);
    // An equal request may have been answered while this one waited.
    const known = () => (resolved.isFresh ? undefined : find(resolved));
    return queue.run(request, () => spoolIfLong(spools, request, async () => known() ?? load(date(resolved), lane)));
  }

  /** Whether the names of a request still lead to the same accounts. */
  function isCurrent({ names }: Resolved): boolean {
    if (names === null) return true;
    return names.version !== null && names.version === versionOf(['names']) && monotonic() < names.expires;
  }

  return {
    async get(resolved: Resolved, request: FastifyRequest): Promise<Answer> {
      const { asked, key, isFresh } = resolved;
      const hit = isFresh ? undefined : find(resolved);
      const body = hit ?? (await loadInLane(resolved, request));
      const link = linkOf(resolved, body);
      if (key === null) return { asked, body, link, state: 'NONE' };
      if (!asked.asksFresh && asked.after.length === 0)
        urls?.set(urlKey(asked.route, request), { resolved, next: body.next, link });
      if (hit !== undefined) return { asked, body, link, state: 'HIT' };
      return { asked, body, link, state: isFresh ? 'FRESH' : 'MISS' };
    },
    /** The answer to a URL that was answered before, if it is in the cache. */
    recall(route: Route, request: FastifyRequest): Answer | undefined {
      const known = urls?.get(urlKey(route, request));
      const body = known !== undefined && isCurrent(known.resolved) ? find(known.resolved) : undefined;
      if (known === undefined || body === undefined) return undefined;
      const { resolved, next } = known;
      if (next !== body.next) Object.assign(known, { next: body.next, link: linkOf(resolved, body) });
      return { asked: resolved.asked, body, link: known.link, state: 'HIT' };
    },
    compress: cache.compress.bind(cache),
    cacheBytes: () => cache.bytes + (urls?.calculatedSize ?? 0),
    spoolBytes: spools.bytes,
    heavy,
  };
}

function linkOf({ asked }: Resolved, { next }: HeldBody | LongBody): string | null {
  return next && linkToNext(asked, next);
}

/** A URL with all that the answer depends on: of two formats, the header may decide. */
function urlKey({ rows }: Route, { url, headers }: FastifyRequest): string {
  const format = rows === undefined ? 'json' : negotiateFormat(headers.accept);
  return format === 'json' ? url : `${format} ${url}`;
}

function writerOf({ asked: { route, format }, query }: Resolved): BodyWriter {
  const { response: schema, rows } = route;
  return rows !== undefined && isTable(format)
    ? tableWriter(format, { schema, rowsIn: rows.in, omitted: rows.omit?.(query) ?? [] })
    : jsonWriter(schema);
}

function costOf({ asked, query, others }: Resolved): Cost {
  if (asked.isWhole) return 'stream';
  const { cost = 'light' } = asked.route;
  const declared = typeof cost === 'function' ? cost(query) : cost;
  const { limit, offset, cursor } = query;
  // A key of one number is an offset.
  const skipped = Array.isArray(cursor) && cursor.length === 1 ? cursor[0] : offset;
  const isLarge = Math.max(Number(limit ?? 0), others.length) > MAX_LIGHT_LIMIT || Number(skipped) > MAX_LIGHT_OFFSET;
  return declared === 'light' && isLarge ? 'heavy' : declared;
}

/** A page or an array may be long, and is serialised some entries at a time unless a short reader has read it. */
async function textOf(value: unknown, writer: BodyWriter, lane: string): Promise<Read> {
  const { body, next } = pageOf(value);
  if (body === null) return { text: writer.write(value), next };
  if (lane === 'page') return { text: writer.write(body.part(0, body.length)), next };
  return { text: await collect(() => writePage(body, writer), next), next };
}

function pageOf(value: unknown): { readonly body: PageBody<unknown> | null; readonly next: CursorKey | null } {
  if (Array.isArray(value))
    return { body: { length: value.length, part: (from, to) => value.slice(from, to) }, next: null };
  // Safe: no other value has both.
  return typeof value === 'object' && value !== null && 'body' in value && 'next' in value
    ? (value as Paged<unknown>)
    : { body: null, next: null };
}
