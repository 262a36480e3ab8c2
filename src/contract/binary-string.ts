declare const isBinary: unique symbol;

/**
 * A text as a character for each byte that it has in UTF-8. Such texts take a byte a character in memory too, and are
 * joined, kept and sent as they are, without being encoded again.
 */
export type BinaryString = string & { readonly [isBinary]: true };

/** Not of what are bytes already. */
type Text = string & { readonly [isBinary]?: never };

export function toBinary(text: Text): BinaryString {
  // Safe, here and below: that is what they have become.
  return (Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString('latin1')) as BinaryString;
}

/** Of bytes that a database has handed over as such, or as the text that they are. */
export function binaryOf(value: Buffer | Text): BinaryString {
  return typeof value === 'string' ? toBinary(value) : (value.toString('latin1') as BinaryString);
}
