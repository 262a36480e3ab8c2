/** Work that is done once for all who ask for it at one moment. */
export interface SharedWork<T> {
  /** Runs `work` under a key; whoever asks for the same key meanwhile gets the same result. */
  run(key: string, work: () => Promise<T>): Promise<T>;
  /** Waits until nothing is under way, whatever becomes of it. */
  settle(): Promise<void>;
}

export function createSharedWork<T>(): SharedWork<T> {
  const pending = new Map<string, Promise<T>>();
  return {
    run(key, work) {
      const known = pending.get(key);
      if (known !== undefined) return known;
      const result = work().finally(() => pending.delete(key));
      pending.set(key, result);
      return result;
    },
    async settle() {
      while (pending.size > 0) await Promise.allSettled(pending.values());
    },
  };
}
