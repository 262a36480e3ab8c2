/**
 * The same text, in memory of its own: a part of a text keeps all of it, and one that was put together keeps its parts.
 * For what is kept for long.
 */
export function flatten<T extends string>(text: T): T {
  // Safe: its characters are the same.
  return Buffer.from(text).toString() as T;
}
