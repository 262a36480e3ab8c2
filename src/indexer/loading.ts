/** Which chains' bulk is coming in: the graph is finished at its end, not with every range and block. */
export interface Loading {
  /** The chain's bulk begins to come, or more of it has. */
  heard(chainId: number): void;
  end(chainId: number): void;
  /** Whether there is more to come soon. */
  isActive(): boolean;
  /** Whether something has come in that the graph has not been finished for. */
  isUnfinished(): boolean;
  finished(): void;
}

/** A chain that is silent for so long does not hold up the others any more: its node may be away for hours. */
const QUIET_MS = 30_000;

export function createLoading(now: () => number): Loading {
  const lastHeard = new Map<number, number>();
  let unfinished = false;
  return {
    heard(chainId) {
      lastHeard.set(chainId, now());
      unfinished = true;
    },
    end: (chainId) => void lastHeard.delete(chainId),
    isActive: () => [...lastHeard.values()].some((at) => now() - at < QUIET_MS),
    isUnfinished: () => unfinished,
    finished: () => {
      unfinished = false;
    },
  };
}
