import { setTimeout as delay } from 'node:timers/promises';
import { createFairQueue } from '../async/fair-queue.ts';
import { turnOfOwn } from '../async/turn-of-own.ts';
import type { MonotonicMs } from '../async/unix-time.ts';
import type { Deployment } from '../protocol/deployments.ts';
import type { Address } from '../protocol/hex.ts';
import { type Reader, type Store, StoreUnavailableError } from '../store/store.ts';
import { END_REASONS, type EndReason, EventStream, type Sink, type StreamRequest } from './event-stream.ts';
import { createFeed } from './feed.ts';
import { watchesTargets } from './filter.ts';
import { createPositionCodec, type Position } from './position.ts';
import { FINALITIES, type Finality, type Heads, readHeads } from './read-logs.ts';

export interface EventLimits {
  /** Open streams of this process. */
  readonly maxStreams: number;
  /** The same for one client address. */
  readonly maxStreamsPerClient: number;
  /** After about this long a stream ends, and its client connects again. */
  readonly maxStreamMs: number;
  /** A reader that takes nothing for this long is closed; 10 seconds by default. */
  readonly slowReaderMs?: number;
}

export interface HubOptions {
  readonly store: Store;
  readonly deployment: Deployment;
  readonly limits: EventLimits;
  readonly monotonic: () => MonotonicMs;
  readonly random: () => number;
  readonly onError: (error: unknown) => void;
  /** The body of the error response for a slow reader. */
  readonly slowReaderProblem: string;
}

export interface EventCounts {
  readonly open: number;
  readonly sent: number;
  readonly undone: number;
  readonly resumed: number;
  readonly ended: ReadonlyMap<EndReason, number>;
}

/** Why no further stream is opened. */
export class StreamLimitError extends Error {
  override name = 'StreamLimitError';
  readonly of: 'client' | 'all' | 'shutdown';

  constructor(of: StreamLimitError['of']) {
    super(`too many event streams (${of})`);
    this.of = of;
  }
}

/** The position is above what this server has indexed. */
export class PositionAheadError extends Error {
  override name = 'PositionAheadError';
  readonly chain: number;
  readonly block: number;

  constructor(chain: number, block: number) {
    super(`block ${block} of chain ${chain} is not indexed yet`);
    this.chain = chain;
    this.block = block;
  }
}

const SLOW_READER_MS = 10_000;
/** Accounts in the filters of all streams together, which take 100 bytes each. */
const MAX_ACCOUNTS = 1_000_000;
/** What is not announced by a version, as new final blocks, is seen this late. */
const TICK_MS = 1_000;
const RETRY_MS = 1_000;
/** How long a position that is not indexed yet is waited for. */
const MAX_AHEAD_MS = 10_000;
/** Reads of streams that are behind: few, so that lookups do not wait for them. */
const READS_AT_ONCE = 2;
/** Streams that are written to in one turn of the event loop. */
const STREAMS_AT_ONCE = 250;
/** Streams end up to this part earlier than their time, so that they do not end together. */
const JITTER = 0.2;
/** Clients of a server that shuts down connect again within this time, each at another moment. */
const RETRY_SPREAD_MS = 8_000;

export type Hub = ReturnType<typeof createHub>;

/** The event streams of a process. Without streams, it does nothing. */
export function createHub(options: HubOptions) {
  const { store, deployment, limits, monotonic, random, onError } = options;
  const codec = createPositionCodec(deployment);
  const streams = new Map<EventStream, string>();
  const ofClient = new Map<string, number>();
  const counts = { sent: 0, undone: 0, resumed: 0, ended: new Map(END_REASONS.map((reason) => [reason, 0])) };
  /** The accounts whose records streams look at, with the number of these streams. */
  const watched = new Map<Address, number>();
  let isStopping = false;
  let ticker: NodeJS.Timeout | undefined;
  const reads = createFairQueue({
    concurrency: READS_AT_ONCE,
    maxWaiting: Number.POSITIVE_INFINITY,
    maxWaitMs: Number.POSITIVE_INFINITY,
    refuse: () => new Error('reads of streams are not refused'),
  });
  const readerOf = (client: string): Reader => ({
    dialect: store.heavy.reader.dialect,
    all: (statement, params) => reads.run(client, () => store.heavy.reader.all(statement, params)),
  });

  const runners = Object.fromEntries(
    FINALITIES.map((finality) => [finality, createRunner(finality)]),
    // Safe: these are all of them.
  ) as Record<Finality, ReturnType<typeof createRunner>>;

  /** Runs a feed while it has streams. */
  function createRunner(finality: Finality) {
    const own = new Set<EventStream>();
    let users = 0;
    let isRunning = false;
    let isPumping = false;
    let wake = () => {};
    let changed = Promise.withResolvers<void>();
    const feed = createFeed({
      reader: store.reader,
      codec,
      finality,
      watched: () => watched.keys(),
      withEns: () => [...own].some(({ request }) => request.withEns),
      onEntries: () => void pumpAll(),
    });

    async function pumpAll(): Promise<void> {
      if (isPumping) return;
      isPumping = true;
      try {
        for (let seen = -1; seen !== feed.place()?.next; ) {
          seen = feed.place()?.next ?? -1;
          let count = 0;
          for (const stream of own) {
            stream.pump();
            if (++count % STREAMS_AT_ONCE === 0) await turnOfOwn();
          }
          if (feed.place() === null) break;
        }
      } finally {
        isPumping = false;
      }
    }

    async function run(): Promise<void> {
      isRunning = true;
      let isDue = true;
      let alarm = Promise.withResolvers<void>();
      wake = () => {
        isDue = true;
        alarm.resolve();
      };
      const unwatch = store.version.onChange(() => wake());
      const timer = setInterval(() => wake(), TICK_MS).unref();
      try {
        while (users > 0) {
          if (!isDue) await alarm.promise;
          alarm = Promise.withResolvers();
          isDue = false;
          try {
            await feed.read();
          } catch (error) {
            onError(error);
            await delay(RETRY_MS);
          }
          changed.resolve();
          changed = Promise.withResolvers();
          await pumpAll();
        }
      } finally {
        unwatch();
        clearInterval(timer);
        feed.stop();
        isRunning = false;
      }
    }

    return {
      feed,
      own,
      changed: () => changed.promise,
      /** Keeps the feed up to date until the returned function is called. */
      use(): () => void {
        users += 1;
        if (!isRunning) void run();
        return () => {
          users -= 1;
          wake();
        };
      },
    };
  }

  function tick(): void {
    for (const stream of [...streams.keys()]) stream.tick();
  }

  function count(client: string, change: number): void {
    const open = (ofClient.get(client) ?? 0) + change;
    if (open === 0) ofClient.delete(client);
    else ofClient.set(client, open);
  }

  function watch({ filter }: StreamRequest, change: number): void {
    if (!watchesTargets(filter)) return;
    for (const account of filter.accounts ?? []) {
      const streamsOf = (watched.get(account) ?? 0) + change;
      if (streamsOf === 0) watched.delete(account);
      else watched.set(account, streamsOf);
    }
  }

  async function run(stream: EventStream): Promise<EndReason> {
    for (;;) {
      try {
        return await stream.run();
      } catch (error) {
        onError(error);
        if (!(error instanceof StoreUnavailableError)) stream.end('failed');
        await delay(RETRY_MS);
      }
    }
  }

  let reserved = 0;
  let filtered = 0;

  return {
    codec,
    readerOf,

    /** Takes a place for a stream of a client, until the returned function is called. Throws if there is none. */
    reserve(client: string, accounts: number): () => void {
      if (isStopping) throw new StreamLimitError('shutdown');
      if (reserved >= limits.maxStreams || filtered + accounts > MAX_ACCOUNTS) throw new StreamLimitError('all');
      if ((ofClient.get(client) ?? 0) >= limits.maxStreamsPerClient) throw new StreamLimitError('client');
      reserved += 1;
      filtered += accounts;
      count(client, 1);
      return () => {
        reserved -= 1;
        filtered -= accounts;
        count(client, -1);
      };
    },

    /** Waits until the blocks of a position are indexed. Rejects with a `PositionAheadError` if they are not in time. */
    async admit(position: Position, isGone: () => boolean): Promise<void> {
      const { feed, use, changed } = runners.latest;
      let heads: Heads | null = await readHeads(store.reader);
      if (findAhead(position, heads) === null) return;
      const release = use();
      try {
        for (const end = monotonic() + MAX_AHEAD_MS; !isGone(); ) {
          await changed();
          heads = feed.heads();
          const ahead = heads && findAhead(position, heads);
          if (heads !== null && ahead === null) return;
          if (monotonic() >= end || isStopping) throw ahead ?? new StreamLimitError('shutdown');
        }
      } finally {
        release();
      }
    },

    /** Sends events until the stream ends, for whatever reason. `onOpen` is called at once. */
    async stream(
      client: string,
      finality: Finality,
      request: StreamRequest,
      sink: Sink,
      onOpen: (stream: EventStream) => void,
    ): Promise<EndReason> {
      const { feed, own, use, changed } = runners[finality];
      const stream = new EventStream(request, sink, {
        ...{ feed, codec, changed, monotonic },
        reader: readerOf(client),
        withUndo: finality === 'latest',
        expires: monotonic() + limits.maxStreamMs * (1 - JITTER * random()),
        slowReaderMs: limits.slowReaderMs ?? SLOW_READER_MS,
        slowReaderProblem: options.slowReaderProblem,
        onSent: (entry) => {
          if (entry.event === null) counts.undone += 1;
          else counts.sent += 1;
        },
      });
      if (request.since !== null) counts.resumed += 1;
      streams.set(stream, client);
      own.add(stream);
      watch(request, 1);
      ticker ??= setInterval(tick, TICK_MS).unref();
      const release = use();
      onOpen(stream);
      try {
        const reason = await run(stream);
        counts.ended.set(reason, (counts.ended.get(reason) ?? 0) + 1);
        return reason;
      } finally {
        release();
        watch(request, -1);
        own.delete(stream);
        streams.delete(stream);
        if (streams.size === 0) {
          clearInterval(ticker);
          ticker = undefined;
        }
      }
    },

    /** Ends all streams; no other one is opened. Clients connect again after `delayMs`, spread over some seconds. */
    stop(delayMs: number): void {
      isStopping = true;
      for (const stream of [...streams.keys()])
        stream.end('shutdown', Math.round(delayMs + random() * RETRY_SPREAD_MS));
    },

    /** Since the start of the process. */
    counts: (): EventCounts => ({ ...counts, open: streams.size }),
  };
}

function findAhead(position: Position, { chains }: Heads): PositionAheadError | null {
  for (const [chain, { block }] of position)
    if (block > (chains.get(chain)?.indexed ?? -1)) return new PositionAheadError(chain, block);
  return null;
}
