import { rewindChain } from '../../src/ingest/rewind.ts';
import type { RawLog } from '../../src/protocol/parse-log.ts';
import type { Store } from '../../src/store/store.ts';
import type { Random } from '../model/random.ts';
import { randomHistory } from '../model/random-history.ts';
import { loadLogs } from '../support/load.ts';

const LOGS = 400;
/** Every block that has so many logs above it is final. */
const FINAL_DEPTH = 8;

/** Some of the logs, in blocks with the same numbers on another fork. */
function otherFork(random: Random, logs: readonly RawLog[]): RawLog[] {
  const mark = random
    .int(2 ** 30)
    .toString(16)
    .padStart(8, '0');
  const kept = logs.filter(() => random.chance(0.8));
  return kept.map((log) => ({ ...log, blockHash: `0x${mark}${log.blockHash.slice(10)}` as const }));
}

const blockOf = ({ blockNumber }: RawLog) => Number(blockNumber);

/** A random history that is written to a store, a few blocks at a time, with reorgs. */
export class ReorganisedHistory {
  readonly #writer: Store;
  readonly #random: Random;
  readonly #blocks: RawLog[][];
  readonly #stored = new Map<number, RawLog[]>();
  readonly #finals = new Map<number, number>();
  readonly #heights = new Map<number, number>();

  constructor(writer: Store, seed: number, random: Random) {
    this.#writer = writer;
    this.#random = random;
    const logs = randomHistory(seed, { logs: LOGS });
    this.#blocks = [...Map.groupBy(logs, ({ chainId, blockNumber }) => `${chainId} ${blockNumber}`).values()];
  }

  /** Writes the next blocks. False if there are none. */
  async advance(): Promise<boolean> {
    const next = this.#blocks.splice(0, 1 + this.#random.int(5)).flat();
    await this.#add(next);
    await this.#moveCursors(this.#random.chance(0.7));
    return next.length > 0;
  }

  /** Removes the last blocks of a chain, and mostly writes others in their place. */
  async reorganise(): Promise<void> {
    const random = this.#random;
    const chainId = random.pick([...this.#stored.keys()]);
    const logs = this.#stored.get(chainId) ?? [];
    const fork = Math.max(this.#finals.get(chainId) ?? 0, blockOf(random.pick(logs.slice(-10))) - random.int(2));
    await this.#writer.transaction((tx) => rewindChain(tx, chainId, fork));
    this.#stored.set(
      chainId,
      logs.filter((log) => blockOf(log) <= fork),
    );
    const orphaned = logs.filter((log) => blockOf(log) > fork);
    if (random.chance(0.8)) await this.#add(otherFork(random, orphaned));
  }

  async #add(logs: readonly RawLog[]): Promise<void> {
    await loadLogs(this.#writer, logs);
    for (const log of logs)
      this.#stored.set(
        log.chainId,
        [...(this.#stored.get(log.chainId) ?? []), log].sort((a, b) => blockOf(a) - blockOf(b)),
      );
  }

  /** After a reorg, the chain is as high as before. */
  #moveCursors(isFinalising: boolean): Promise<void> {
    return this.#writer.transaction((tx) => {
      for (const [chainId, logs] of this.#stored) {
        this.#heights.set(chainId, Math.max(this.#heights.get(chainId) ?? 0, ...logs.map(blockOf)));
        const final = logs.at(-FINAL_DEPTH);
        if (isFinalising && final !== undefined)
          this.#finals.set(chainId, Math.max(this.#finals.get(chainId) ?? 0, blockOf(final) - 1));
      }
      return tx.upsert(
        'cursors',
        [...this.#stored].map(([chain_id, logs]) => {
          const hash = logs.at(-1)?.blockHash ?? '';
          const number = this.#heights.get(chain_id) ?? 0;
          const rest = { head_number: number, head_time: 0, checked_at: 0, time: 0 };
          return { chain_id, number, hash, ...rest, finalized_number: this.#finals.get(chain_id) ?? 0 };
        }),
      );
    });
  }
}
