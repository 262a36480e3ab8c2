const SIZE = 32;

/** Circles whose colours and places are derived from hex digits. The explorer draws an account without an avatar alike. */
export function drawIdenticon(digits: string, width = SIZE): string {
  const byte = (index: number) => Number.parseInt(digits.slice(index * 2, index * 2 + 2), 16);
  const hue = Math.round((byte(0) * 360) / 256);
  const colour = (turn: number, light: number) => `hsl(${(hue + turn) % 360}, 62%, ${light}%)`;
  const circle = (index: number, radius: number, fill: string) =>
    `<circle cx="${(byte(index) / 256) * width}" cy="${(byte(index + 1) / 256) * SIZE}" r="${radius}" fill="${fill}"/>`;
  return [
    `<rect width="${width}" height="${SIZE}" fill="${colour(0, 46)}"/>`,
    circle(1, 9 + byte(3) / 40, colour(40, 62)),
    circle(4, 6 + byte(6) / 40, colour(80, 74)),
    circle(7, 3 + byte(9) / 50, colour(190, 84)),
  ].join('');
}
