/** A byte of a hash of the whole address: many addresses begin or end with the same digits. */
export function byteOf(address: string, index: number): number {
  let hash = 0x811c9dc5 ^ index;
  for (let at = 0; at < address.length; at += 1) hash = Math.imul(hash ^ address.charCodeAt(at), 0x01000193);
  // The last digits have changed only the low bits so far.
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash >>> 12) & 0xff;
}

/** The hue of an account in degrees, the same in all its generated pictures. */
export function hueOf(address: string): number {
  return Math.round((byteOf(address, 0) * 360) / 256);
}
