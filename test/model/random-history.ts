import { keccak256, stringToHex } from 'viem';
import type { RawLog } from '../../src/protocol/parse-log.ts';
import { type Place, placeLog } from './encode-log.ts';
import { createRandom, type Random } from './random.ts';
import { randomBodies } from './random-bodies.ts';

/** 2026-01-01T00:00:00Z: no log is later. */
export const HISTORY_END = 1_767_225_600;

const HOUR = 3600;
const SPAN = 40 * 24 * HOUR;
const FIRST_BLOCKS = new Map([
  [8453, 20_180_000],
  [10, 125_790_000],
  [1, 20_820_000],
]);

/** The first second of each window that ends at HISTORY_END, and the one before it. */
const EDGES = [720, 168, 24, 1].flatMap((hours) => [HISTORY_END - hours * HOUR - 1, HISTORY_END - hours * HOUR]);

export function randomHistory(seed: number, { logs: count = 800 }: { logs?: number } = {}): RawLog[] {
  const random = createRandom(seed);
  const heads = new Map<number, Place>();
  const logs: RawLog[] = [];
  let now = HISTORY_END - SPAN;
  while (logs.length < count) {
    const next = nextTime(now, logs.length / count);
    // Rarely, so that many blocks share a time; but no bound of a window is skipped.
    const later = next > now && (EDGES.includes(next) || random.chance(0.15));
    if (later) now = next;
    const touched = new Set<number>();
    for (const body of randomBodies(random)) {
      const head = heads.get(body.chainId);
      const sameBlock = touched.has(body.chainId) || (!later && random.chance(0.2));
      const place =
        head && sameBlock
          ? { ...head, logIndex: head.logIndex + 1 + random.int(3) }
          : nextBlock(random, seed, body.chainId, head, now);
      heads.set(body.chainId, place);
      touched.add(body.chainId);
      logs.push(placeLog(body, place));
    }
  }
  return logs.slice(0, count);
}

/** Denser towards the end, so that a tenth of the history is in the last hour; it stops at the bounds of windows. */
function nextTime(now: number, progress: number): number {
  const next = Math.max(now, HISTORY_END - Math.floor(SPAN * (1 - progress) ** 3));
  return EDGES.find((edge) => now < edge && edge <= next) ?? next;
}

function nextBlock(random: Random, seed: number, chainId: number, head: Place | undefined, time: number): Place {
  const before = head?.blockNumber ?? FIRST_BLOCKS.get(chainId) ?? 0;
  const blockNumber = before + 1 + (random.chance(0.5) ? 0 : random.int(50));
  const blockHash = keccak256(stringToHex(`${seed} ${chainId} ${blockNumber}`));
  return { blockNumber, blockHash, time, logIndex: random.int(4) };
}

/** Each chain keeps its order, chains are interleaved at random, and some batches repeat logs of earlier ones. */
export function cutIntoBatches(seed: number, logs: readonly RawLog[]): RawLog[][] {
  const random = createRandom(seed);
  const chainIds = [...new Set(logs.map((log) => log.chainId))];
  const queues = chainIds.map((chainId) => logs.filter((log) => log.chainId === chainId));
  const given: RawLog[] = [];
  const batches: RawLog[][] = [];
  while (given.length < logs.length) {
    const batch: RawLog[] = [];
    const size = 1 + random.int(random.pick([1, 5, 40]));
    while (batch.length < size && given.length + batch.length < logs.length) {
      const queue = random.pick(queues.filter(({ length }) => length > 0));
      batch.push(...queue.splice(0, 1 + random.int(4)));
    }
    const again = given.length > 0 && random.chance(0.3) ? repeatSome(random, given) : [];
    batches.push([...again, ...batch]);
    given.push(...batch);
  }
  return batches;
}

function repeatSome(random: Random, given: readonly RawLog[]): RawLog[] {
  const from = random.int(given.length);
  return given.slice(from, from + 1 + random.int(6));
}
