/** The side of a generated picture, in the units of its circles. */
export const IDENTICON_SIZE = 32;

/** Three circles whose colours and places are derived from a text, such as an address. The explorer draws them as well. */
export function identiconOf(text: string, width = IDENTICON_SIZE) {
  const hue = hueOf(text);
  const colour = (turn: number, light: number) => `hsl(${(hue + turn) % 360}, 62%, ${light}%)`;
  const circle = (index: number, radius: number, fill: string) => ({
    x: (byteOf(text, index) / 256) * width,
    y: (byteOf(text, index + 1) / 256) * IDENTICON_SIZE,
    radius: radius + byteOf(text, index + 2) / 40,
    colour: fill,
  });
  return {
    background: colour(0, 46),
    circles: [circle(1, 9, colour(40, 62)), circle(4, 6, colour(80, 74)), circle(7, 3, colour(190, 84))],
  };
}

/** The same as SVG elements. */
export function drawIdenticon(text: string, width = IDENTICON_SIZE): string {
  const { background, circles } = identiconOf(text, width);
  return [
    `<rect width="${width}" height="${IDENTICON_SIZE}" fill="${background}"/>`,
    ...circles.map(({ x, y, radius, colour }) => `<circle cx="${x}" cy="${y}" r="${radius}" fill="${colour}"/>`),
  ].join('');
}

/** The hue of an account in degrees, the same in all its generated pictures. */
export function hueOf(text: string): number {
  return Math.round((byteOf(text, 0) * 360) / 256);
}

/** A byte of a hash of the whole text: many addresses begin or end with the same digits. */
export function byteOf(text: string, index: number): number {
  let hash = 0x811c9dc5 ^ index;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  // The last digits have changed only the low bits so far.
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash >>> 12) & 0xff;
}
