/** Whether the characters of a text are the bytes that it has in UTF-8. */
export function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}

/** A text with a character for each byte that `text` has in UTF-8: Node sends it in one piece with the head. */
export function byteText(text: string): string {
  return isAscii(text) ? text : Buffer.from(text).toString('latin1');
}
