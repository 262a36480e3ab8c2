import { byteOf, hueOf } from './address-colours.ts';

/** The side of a generated picture, in the units of its circles. */
export const IDENTICON_SIZE = 32;

export interface Identicon {
  readonly background: string;
  readonly circles: readonly {
    readonly x: number;
    readonly y: number;
    readonly radius: number;
    readonly colour: string;
  }[];
}

/** Three circles whose colours and places are derived from the address. */
export function identiconOf(address: string): Identicon {
  const hue = hueOf(address);
  const colour = (turn: number, light: number) => `hsl(${(hue + turn) % 360} 62% ${light}%)`;
  const circle = (index: number, radius: number, fill: string) => ({
    x: byteOf(address, index) / 8,
    y: byteOf(address, index + 1) / 8,
    radius: radius + byteOf(address, index + 2) / 40,
    colour: fill,
  });
  return {
    background: colour(0, 46),
    circles: [circle(1, 9, colour(40, 62)), circle(4, 6, colour(80, 74)), circle(7, 3, colour(190, 84))],
  };
}
