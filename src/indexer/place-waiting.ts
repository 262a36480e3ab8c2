import { placeFew } from '../ingest/place-accounts.ts';
import type { Store } from '../store/store.ts';

/**
 * So many accounts may wait to be placed after a commit, about as many as four blocks of 200 ops leave: each makes a
 * page of followers in the order of theirs take two microseconds longer.
 */
export const MOST_WAITING = 500;

/** How soon after a commit they are placed. */
const PAUSE_MS = 50;

/** Places accounts behind the blocks that made them wait, in short transactions: the next block goes between two. */
export interface Placer {
  /** Some may wait now. */
  wake(): void;
  /** Places whoever waits, from before too, until `sleep` rejects. */
  run(): Promise<never>;
}

export interface PlacerOptions {
  readonly write: Store['transaction'];
  readonly sleep: (ms: number) => Promise<void>;
  /** While the bulk of a chain comes in, accounts are placed at its end. */
  readonly isLoading: () => boolean;
}

export function createPlacer({ write, sleep, isLoading }: PlacerOptions): Placer {
  let mayWait = true;
  return {
    wake() {
      mayWait = true;
    },
    async run() {
      for (;;) {
        await sleep(PAUSE_MS);
        while (mayWait && !isLoading()) {
          // Whoever begins to wait meanwhile says so again.
          mayWait = false;
          if (await write((tx) => placeFew(tx))) mayWait = true;
        }
      }
    },
  };
}
