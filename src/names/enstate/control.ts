/** Something that certainly resolves. Where even that is not found, the server could not look. */
export interface Control<Q extends string> {
  /** What is known from elsewhere to resolve. */
  readonly given: Q;
  /** What the server itself has last found, as long as it finds it; else what is given. */
  readonly current: Q;
  remember(found: Q): void;
  forget(lost: Q): void;
}

export function createControl<Q extends string>(given: Q): Control<Q> {
  let current = given;
  return {
    given,
    get current() {
      return current;
    },
    remember(found) {
      current = found;
    },
    forget(lost) {
      if (current === lost) current = given;
    },
  };
}
