/**
 * A text with a character for each byte that `text` has in UTF-8. Node sends it in one piece with the head, and so
 * sooner than a buffer.
 */
export function byteText(text: string): string {
  return Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString('latin1');
}
