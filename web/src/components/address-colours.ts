/** A byte of an address, from which generated pictures take their shapes. */
export function byteOf(address: string, index: number): number {
  return Number.parseInt(address.slice(2 + index * 2, 4 + index * 2), 16) || 0;
}

/** The hue of an account in degrees, the same in all its generated pictures. */
export function hueOf(address: string): number {
  return Math.round((byteOf(address, 0) * 360) / 256);
}
