/** Copies a string, so that a cached slice or concatenation does not retain its V8 parent strings. */
export function flatten<T extends string>(text: T): T {
  // Safe: the characters are the same.
  return Buffer.from(text).toString() as T;
}
