import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { UnixMs } from '../../async/unix-time.ts';
import { type IndexedChain, readIndexedChains } from '../../lookup/indexed-chains.ts';
import type { Store } from '../../store/store.ts';
import { HttpProblem } from '../problems.ts';
import { clientKey } from '../server/limits.ts';
import type { Block } from './parameters.ts';
import type { Asked, Reached } from './resolve.ts';

interface Wait {
  readonly client: string;
  readonly after: readonly Block[];
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
  /** What is sent when the time is over; undefined until the database has been read. */
  late?: HttpProblem;
  isOver: boolean;
}

export interface BlockWaitsOptions {
  readonly store: Pick<Store, 'reader' | 'version'>;
  readonly now: () => UnixMs;
  readonly blockWaitMs?: number | undefined;
}

const MAX_WAIT_MS = 10_000;
/** As many queries as may wait for a connection: the block that is waited for may be the same. */
const MAX_WAITING = 400;
const MAX_WAITING_PER_CLIENT = 50;

/** Lets requests wait for the blocks of `after`. One statement for each new version answers all of them. */
export function createBlockWaits(app: FastifyInstance, { store, now, blockWaitMs = MAX_WAIT_MS }: BlockWaitsOptions) {
  const waits = new Set<Wait>();
  let stopListening: (() => void) | undefined;
  let isChecking = false;
  let isStale = false;

  async function check(): Promise<void> {
    isStale = true;
    if (isChecking) return;
    isChecking = true;
    while (isStale && waits.size > 0) {
      isStale = false;
      try {
        const chains = await readIndexedChains(store.reader);
        for (const wait of waits) settle(wait, chains);
      } catch (error) {
        for (const { reject } of waits) reject(error);
      }
    }
    isChecking = false;
  }

  function settle(wait: Wait, chains: readonly IndexedChain[]): void {
    try {
      const isReached = wait.after.every((block) => isIndexed(block, chains, now()));
      // Answers of the cache are as of the version that this process knows.
      const known = store.version.current()?.number ?? Number.NEGATIVE_INFINITY;
      if (isReached && chains.every(({ data_version }) => data_version <= known)) wait.resolve();
      else {
        wait.late = notIndexedYet(wait.after, chains);
        if (wait.isOver) wait.reject(wait.late);
      }
    } catch (error) {
      wait.reject(error);
    }
  }

  function requireRoom(client: string): void {
    if (waits.size >= MAX_WAITING)
      throw new HttpProblem('overloaded', 'too many requests wait for a block, retry later');
    let own = 0;
    for (const wait of waits) if (wait.client === client) own += 1;
    if (own < MAX_WAITING_PER_CLIENT) return;
    throw new HttpProblem(
      'rate-limited',
      `more than ${MAX_WAITING_PER_CLIENT} requests of one client wait for a block`,
      {
        headers: RETRY_SOON,
      },
    );
  }

  async function waitFor(after: readonly Block[], request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const client = clientKey(request);
    requireRoom(client);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const wait: Wait = { client, after, resolve, reject, isOver: false };
    const end = () => {
      wait.isOver = true;
      if (wait.late !== undefined) reject(wait.late);
    };
    const timer = setTimeout(end, blockWaitMs);
    reply.raw.once('close', () => reject(CLIENT_GONE));
    waits.add(wait);
    stopListening ??= store.version.onChange(() => void check());
    void check();
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      waits.delete(wait);
      if (waits.size === 0) {
        stopListening?.();
        stopListening = undefined;
      }
    }
  }

  app.addHook('preClose', async () => {
    for (const { reject, after, late } of waits) reject(late ?? notIndexedYet(after, []));
  });

  return {
    /** Rejects with an `HttpProblem` if a block is not indexed in time, or cannot be. */
    async reach(asked: Asked, request: FastifyRequest, reply: FastifyReply): Promise<Reached> {
      if (asked.after.length > 0) await waitFor(asked.after, request, reply);
      return { asked };
    },
  };
}

const CLIENT_GONE = new HttpProblem('client-closed-request', 'the client closed the connection');
const RETRY_SOON = { 'retry-after': '1' };

/** More than a chain of the protocol has: one in two seconds. */
const BLOCKS_PER_SECOND = 4;
/** What another node may be ahead, and clocks may differ. */
const SLACK_SECONDS = 60;

/** Whether the graph has the logs of a block. Throws an `HttpProblem` if it cannot have them soon. */
function isIndexed({ chain, block }: Block, chains: readonly IndexedChain[], now: UnixMs): boolean {
  const found = chains.find(({ chain_id }) => chain_id === chain);
  const number = found?.number ?? null;
  if (found === undefined || (found.is_indexed === 0 && block > (number ?? -1))) throw notIndexed(chain, chains);
  if (number === null) return false;
  if (block <= number) return found.unfolded_logs === 0;
  const { head_number, checked_at } = found;
  // Safe: it is set whenever `number` is.
  const [head, checked] = [head_number as number, checked_at as UnixMs];
  const seconds = Math.max(now - checked, 0) / 1000 + SLACK_SECONDS;
  if (block <= head + seconds * BLOCKS_PER_SECOND) return false;
  throw new HttpProblem(
    'invalid-parameter',
    `after: block ${block} is far above the head of chain ${chain}, which was ${head} at ${new Date(checked).toISOString()}`,
  );
}

function notIndexed(chain: number, chains: readonly IndexedChain[]): HttpProblem {
  const indexed = chains.filter(({ is_indexed }) => is_indexed === 1).map(({ chain_id }) => chain_id);
  const others = indexed.length === 0 ? 'it indexes no chain' : `it indexes ${indexed.join(', ')}`;
  return new HttpProblem('invalid-parameter', `after: this service does not index chain ${chain}; ${others}`);
}

function notIndexedYet(after: readonly Block[], chains: readonly IndexedChain[]): HttpProblem {
  const isAsked = ({ chain_id }: IndexedChain) => after.some(({ chain }) => chain === chain_id);
  const asked = chains.filter(isAsked).map(({ chain_id, number }) => ({ chain_id, block: number }));
  const places = after.flatMap(({ chain, block }) => {
    const reached = asked.find(({ chain_id }) => chain_id === chain)?.block ?? null;
    if (reached === null) return [`chain ${chain} is not indexed up to block ${block} yet`];
    return block > reached ? [`chain ${chain} is indexed up to block ${reached}, not up to block ${block} yet`] : [];
  });
  // Else this process waits for the logs of blocks that are indexed, or for their version.
  const detail = places.length > 0 ? places.join('; ') : 'the graph does not have all stored logs yet';
  return new HttpProblem('not-indexed-yet', detail, { headers: RETRY_SOON, members: { indexed: asked } });
}
