declare const isBytes: unique symbol;

/**
 * A text as a character for each byte that it has in UTF-8. Such texts take a byte a character in memory too, and are
 * joined, kept and sent as they are, without being encoded again.
 */
export type Bytes = string & { readonly [isBytes]: true };

/** Not of what are bytes already. */
type Text = string & { readonly [isBytes]?: never };

export function toBytes(text: Text): Bytes {
  // Safe, here and below: that is what they have become.
  return (Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString('latin1')) as Bytes;
}

/** Of bytes that a database has handed over as such, or as the text that they are. */
export function bytesOf(value: Buffer | Text): Bytes {
  return typeof value === 'string' ? toBytes(value) : (value.toString('latin1') as Bytes);
}
