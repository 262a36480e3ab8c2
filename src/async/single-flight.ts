/** Single flight: concurrent calls with the same key share one execution. */
export function createSingleFlight<T>() {
  const pending = new Map<string, Promise<T>>();
  return {
    /** Runs `work`, or returns the pending result of another call with the same key. */
    run(key: string, work: () => Promise<T>): Promise<T> {
      const known = pending.get(key);
      if (known !== undefined) return known;
      const result = work().finally(() => pending.delete(key));
      pending.set(key, result);
      return result;
    },
  };
}
