const ENCODED = /^=\?base64\?(.*)\?=$/s;
/** Visible ASCII with spaces in between. */
const PLAIN = /^[!-~](?:[ -~]*[!-~])?$/;

/** Returns a text as the value of a header `Mcp-Name`, which has a form for texts that no header can have. */
export function encodeHeader(text: string): string {
  return PLAIN.test(text) && !ENCODED.test(text) ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}

/** The text of such a header. */
export function decodeHeader<T>(value: T | string): T | string {
  const [, encoded] = typeof value === 'string' ? (ENCODED.exec(value) ?? []) : [];
  return encoded === undefined ? value : Buffer.from(encoded, 'base64').toString();
}
