declare const isBinary: unique symbol;

/**
 * Binary string: one latin1 character per UTF-8 byte. It takes one byte per character in memory, and is joined, cached
 * and sent without being encoded again.
 */
export type BinaryString = string & { readonly [isBinary]: true };

/** Excludes binary strings, so that none is encoded twice. */
type Text = string & { readonly [isBinary]?: never };

export function toBinary(text: Text): BinaryString {
  // Safe, here and below: every character is a byte of the UTF-8 encoding.
  return (Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString('latin1')) as BinaryString;
}

/** For a column that one engine returns as bytes and the other as text. */
export function binaryOf(value: Buffer | Text): BinaryString {
  return typeof value === 'string' ? toBinary(value) : (value.toString('latin1') as BinaryString);
}
