/** Like `Promise.allSettled`, but then throws the first rejection, if there was one. */
export async function settleAll<T extends readonly unknown[]>(
  promises: {
    readonly [K in keyof T]: Promise<T[K]>;
  },
): Promise<T> {
  // Safe: `Promise.all` keeps the order and number of its promises.
  const all = Promise.all(promises) as unknown as Promise<T>;
  // Rejects with the first rejection in time. Until it is returned, that must not count as unhandled.
  all.catch(() => undefined);
  await Promise.allSettled(promises);
  return all;
}
