/** What a decoder may make of a picture: four bytes for each pixel. */
const MAX_PIXELS = 4096 * 4096;
/** Scans of a JPEG. Progressive ones have about ten; the decoder visits all pixels for each of them. */
const MAX_SCANS = 50;

const START_OF_SCAN = Buffer.from([0xff, 0xda]);

/** Returns the `data:` URL of a PNG, JPEG or GIF; null for other bytes, and for one that takes too long to decode. */
export function rasterImageUrl(bytes: Buffer): string | null {
  const { type, width, height } = readPng(bytes) ??
    readGif(bytes) ??
    readJpeg(bytes) ?? { type: '', width: 0, height: 0 };
  const pixels = width * height;
  return pixels === 0 || pixels > MAX_PIXELS ? null : `data:image/${type};base64,${bytes.toString('base64')}`;
}

function readPng(bytes: Buffer) {
  if (bytes.length < 24 || bytes.toString('latin1', 0, 8) !== '\x89PNG\r\n\x1a\n') return null;
  return { type: 'png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

function readGif(bytes: Buffer) {
  if (bytes.length < 10 || bytes.toString('latin1', 0, 4) !== 'GIF8') return null;
  return { type: 'gif', width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
}

/** The size of a JPEG is in its frame header, after segments of any length. */
function readJpeg(bytes: Buffer) {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8 || countScans(bytes) > MAX_SCANS) return null;
  for (let at = 2; at + 9 <= bytes.length; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes.readUInt16BE(at);
    // C4, C8 and CC are no frame headers.
    const isFrame = marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker);
    if (isFrame) return { type: 'jpeg', width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    if (marker < 0xffc0 || bytes.readUInt16BE(at + 2) < 2) return null;
  }
  return null;
}

/** An upper bound: a segment may have the bytes of a start of scan as well, such as those of a thumbnail. */
function countScans(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(START_OF_SCAN); at !== -1; at = bytes.indexOf(START_OF_SCAN, at + 2)) count++;
  return count;
}
