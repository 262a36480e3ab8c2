/** A control query, known to resolve. If enstate does not find it either, the server is failing. */
export interface Control<Q extends string> {
  /** The default control. */
  readonly fallback: Q;
  /** The last query that this server found, else the default. */
  readonly current: Q;
  remember(found: Q): void;
  forget(lost: Q): void;
}

export function createControl<Q extends string>(fallback: Q): Control<Q> {
  let current = fallback;
  return {
    fallback,
    get current() {
      return current;
    },
    remember(found) {
      current = found;
    },
    forget(lost) {
      if (current === lost) current = fallback;
    },
  };
}
