/** Rejects with `late()` if `work` takes longer than `ms`. The work itself is not cancelled. */
export async function withDeadline<T>(work: Promise<T>, ms: number, late: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<never>((_, reject) => {
    // What has arrived while the event loop was blocked is handled before, and is not late.
    timer = setTimeout(() => setImmediate(() => reject(late())), ms);
  });
  try {
    return await Promise.race([work, expired]);
  } finally {
    clearTimeout(timer);
  }
}
