import { crc32, deflateSync } from 'node:zlib';

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue and alpha of each pixel; alpha is ignored. */
  readonly rgba: Uint8Array;
}

const COLOURS = 256;
/** Of these, so many are never merged with similar ones: the backgrounds differ little. */
const EXACT = 96;
/** The upper half of each channel. */
const GROUP_MASK = 0xf0f0f0;
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Encodes a picture in 256 colours, which makes a screenshot less than half as large. */
export function indexedPng({ width, height, rgba }: Pixels): Buffer {
  const colours = coloursOf(rgba);
  const palette = paletteOf(colours);
  const indexes = new Map<number, number>();
  const indexOf = (colour: number) => {
    let index = indexes.get(colour);
    if (index === undefined) indexes.set(colour, (index = nearest(palette, colour)));
    return index;
  };
  // Each row begins with the number of its filter, none.
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) rows[y * (width + 1) + 1 + x] = indexOf(colours[y * width + x] ?? 0);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // 8 bits for each pixel, which is an index of the palette.
  header.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flatMap(channelsOf))),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function coloursOf(rgba: Uint8Array): Uint32Array {
  return Uint32Array.from({ length: rgba.length / 4 }, (_, pixel) => {
    const [red = 0, green = 0, blue = 0] = rgba.subarray(pixel * 4, pixel * 4 + 3);
    return (red << 16) | (green << 8) | blue;
  });
}

const channelsOf = (colour: number): number[] => [colour >> 16, (colour >> 8) & 255, colour & 255];

/** The most frequent colours as they are, then the most frequent of each group of similar ones. */
function paletteOf(colours: Uint32Array): number[] {
  const counts = new Map<number, number>();
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const sorted = [...counts].sort(([, a], [, b]) => b - a);
  const groups = new Map<number, { colour: number; count: number }>();
  for (const [colour, count] of sorted) {
    const group = groups.get(colour & GROUP_MASK) ?? { colour, count: 0 };
    group.count += count;
    groups.set(colour & GROUP_MASK, group);
  }
  const grouped = [...groups.values()].sort((a, b) => b.count - a.count);
  const palette = new Set([
    ...sorted.slice(0, EXACT).map(([colour]) => colour),
    ...grouped.map(({ colour }) => colour),
  ]);
  return [...palette].slice(0, COLOURS);
}

function nearest(palette: readonly number[], colour: number): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(colour);
  const distances = palette.map((other) => {
    const [r = 0, g = 0, b = 0] = channelsOf(other);
    return (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2;
  });
  return distances.indexOf(Math.min(...distances));
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}
