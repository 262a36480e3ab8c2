/** Which chains' bulk is coming in: the graph is finished at its end, not with every range and block. */
export interface Loading {
  begin(chainId: number): void;
  /** Something of the chain has come. */
  progress(chainId: number): void;
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
  const hear = (chainId: number) => {
    lastHeard.set(chainId, now());
    unfinished = true;
  };
  return {
    begin: hear,
    progress: hear,
    end: (chainId) => void lastHeard.delete(chainId),
    isActive: () => [...lastHeard.values()].some((at) => now() - at < QUIET_MS),
    isUnfinished: () => unfinished,
    finished: () => {
      unfinished = false;
    },
  };
}
