import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The fonts of pictures for previews. The renderer takes a character from the first one that has it. */
export const CARD_FONTS = [
  import.meta.resolve('@expo-google-fonts/didact-gothic/400Regular/DidactGothic_400Regular.ttf'),
  import.meta.resolve('@expo-google-fonts/kosugi/Kosugi_400Regular.ttf'),
  import.meta.resolve('@expo-google-fonts/noto-emoji/400Regular/NotoEmoji_400Regular.ttf'),
  import.meta.resolve('@expo-google-fonts/noto-sans-arabic/400Regular/NotoSansArabic_400Regular.ttf'),
  import.meta.resolve('@expo-google-fonts/noto-sans-devanagari/400Regular/NotoSansDevanagari_400Regular.ttf'),
].map((url) => fileURLToPath(url));

/** The renderer finds no font for sequences with joiners and variation selectors. */
const JOINERS = /\u200c|\u200d|\ufe0e|\ufe0f/;

let drawable: ReadonlySet<number> | undefined;

/** Whether the fonts have all characters of a text. They are read for the first one. */
export function canDraw(text: string): boolean {
  const known = (drawable ??= new Set(CARD_FONTS.flatMap((file) => codePointsIn(readFileSync(file)))));
  return !JOINERS.test(text) && [...text].every((character) => known.has(character.codePointAt(0) ?? 0));
}

// A font begins with a directory of its tables. The table cmap has subtables, which map code points to glyphs:
//   format 4:  segments of the first 65,536 code points, as arrays of their ends and of their starts
//   format 12: groups of the first code point, the last one and the first glyph
// See https://learn.microsoft.com/typography/opentype/spec/cmap

function codePointsIn(font: Buffer): number[] {
  const tables = Array.from({ length: font.readUInt16BE(4) }, (_, i) => 12 + 16 * i);
  const entry = tables.find((at) => font.toString('latin1', at, at + 4) === 'cmap');
  if (entry === undefined) throw new Error('a font has no character map');
  const cmap = font.subarray(font.readUInt32BE(entry + 8));
  const subtables = Array.from({ length: cmap.readUInt16BE(2) }, (_, i) => cmap.subarray(cmap.readUInt32BE(8 + 8 * i)));
  return subtables
    .flatMap((subtable) => rangesIn(subtable))
    .flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, i) => first + i));
}

function rangesIn(subtable: Buffer): [number, number][] {
  const format = subtable.readUInt16BE(0);
  if (format === 12)
    return Array.from({ length: subtable.readUInt32BE(12) }, (_, i) => [
      subtable.readUInt32BE(16 + 12 * i),
      subtable.readUInt32BE(20 + 12 * i),
    ]);
  if (format !== 4) return [];
  const segments = subtable.readUInt16BE(6) / 2;
  return Array.from({ length: segments }, (_, i): [number, number] => [
    subtable.readUInt16BE(16 + 2 * segments + 2 * i),
    subtable.readUInt16BE(14 + 2 * i),
  ]).filter(([first]) => first !== 0xffff);
}
