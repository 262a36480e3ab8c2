import { describe, expect, it } from 'vitest';
import { rasterImageUrl } from '../../src/http/pages/raster-image.ts';

const png = (width: number, height: number) =>
  Buffer.from(`89504e470d0a1a0a0000000d49484452${hex(width, 8)}${hex(height, 8)}`, 'hex');
const gif = (width: number, height: number) => Buffer.from(`474946383961${little(width)}${little(height)}`, 'hex');
/** With a segment before the frame header, as of a camera. */
const jpeg = (width: number, height: number) =>
  Buffer.from(`ffd8ffe1000641424344ffc0001108${hex(height, 4)}${hex(width, 4)}0300`, 'hex');
const hex = (number: number, digits: number) => number.toString(16).padStart(digits, '0');
const little = (number: number) => hex(((number & 0xff) << 8) | (number >> 8), 4);

describe('rasterImageUrl', () => {
  it.each([
    ['png', png],
    ['gif', gif],
    ['jpeg', jpeg],
  ])('accepts a picture in %s of up to 16 million pixels', (type, create) => {
    const largest = create(4096, 4096);
    expect(rasterImageUrl(largest)).toBe(`data:image/${type};base64,${largest.toString('base64')}`);
    expect([create(4097, 4096), create(65_535, 65_535), create(0, 10)].map(rasterImageUrl)).toEqual([null, null, null]);
  });

  it('accepts a JPEG of as many scans as a progressive one has, and refuses thousands', () => {
    const withScans = (scans: number) => Buffer.concat([jpeg(9, 9), Buffer.from('ffda0000'.repeat(scans), 'hex')]);
    expect(rasterImageUrl(withScans(12))).not.toBeNull();
    expect(rasterImageUrl(withScans(1_000))).toBeNull();
  });

  it('refuses other and truncated bytes', () => {
    const others = ['', '<svg/>', 'RIFF....WEBPVP8 ', '%PDF-1.7', '\xff\xd8\xff\xe0\x00\x00'];
    expect(others.map((text) => rasterImageUrl(Buffer.from(text, 'latin1')))).toEqual(others.map(() => null));
    for (const whole of [png(9, 9), gif(9, 9), jpeg(9, 9)]) {
      for (let length = 0; length < 10; length++) expect(rasterImageUrl(whole.subarray(0, length))).toBeNull();
    }
  });
});
